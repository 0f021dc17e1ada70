# ---
# jupyter:
#   jupytext:
#     formats: py:percent,ipynb
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # 08 Learning
#
# How strong does a learner get, at what cost, and what does each change of its settings do? Reads the folders of runs of
# `terracotta train ppo`; without any, a small sample that comes with the repository.

# %%
import os
from pathlib import Path

import pandas as pd
from matplotlib import pyplot as plt

from strategy.page import Section
from strategy.runs import SAMPLE, at_share, read_run

folders = [Path(text) for text in os.environ.get("TERRACOTTA_NOTEBOOK_RUNS", "").split(os.pathsep) if text] or [SAMPLE]
runs = [read_run(folder) for folder in folders]
page = Section("08", "Learning")
figure, pictures = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")
for colour, run in enumerate(runs):
    for line, (bot, part) in zip(("-", "--", ":", "-."), run.shares.groupby("bot")):
        reach = [part.share - part.low, part.high - part.share]
        pictures[0].errorbar(
            part.core_minutes,
            100 * part.share,
            [100 * r for r in reach],
            linestyle=line,
            color=f"C{colour}",
            marker="o",
            markersize=3,
            capsize=2,
            label=f"{run.name} against {bot}",
        )
    pictures[1].plot(run.metrics.core_seconds / 60, run.metrics.entropy, color=f"C{colour}", label=run.name)
pictures[0].set(xlabel="core minutes of training", ylabel="games won, %", title="Strength for cost", ylim=(-2, 102))
pictures[1].set(xlabel="core minutes of training", ylabel="entropy of the policy", title="How decided the policy is")
for axes in pictures:
    axes.legend(fontsize="small")
page.show(figure, "Games won against each bot and entropy of the policy over core minutes of training")

for run in runs:
    last = run.shares[run.shares.core_minutes == run.shares.core_minutes.max()]
    page.say(
        f"{run.name}: after {run.metrics.core_seconds.max() / 60:.0f} core minutes and {run.metrics.samples.max():,.0f} decisions it wins",
        "; ".join(
            f"{100 * r.share:.0f} % ({100 * r.low:.0f} % - {100 * r.high:.0f} %) of {r.games} games against {r.bot}"
            for r in last.itertuples()
        )
        + ".",
    )
page.say(
    "Core minutes until half of the games are won:",
    "; ".join(
        f"{run.name} against {bot}: {at_share(part, 0.5)}" for run in runs for bot, part in run.shares.groupby("bot")
    )
    + ".",
)

# %% [markdown]
# ## Runs side by side
#
# What differs in their settings, and where each ended: with several folders this is the table of an ablation.

# %%
settings = pd.DataFrame({run.name: run.settings for run in runs})
differ = (
    settings[settings.nunique(axis=1, dropna=False) > 1]
    if len(runs) > 1
    else settings.loc[["run.minutes", "network.kind", "learning.games"]]
)
ends = pd.DataFrame(
    {
        run.name: {
            "decisions": f"{run.metrics.samples.max():,.0f}",
            "core minutes": f"{run.metrics.core_seconds.max() / 60:.1f}",
            "decisions a second": f"{run.metrics.samples.max() / run.metrics.seconds.max():,.0f}",
            "updates": f"{run.metrics.updates.max():.0f}",
            "entropy at the end": f"{run.metrics.entropy.iloc[-1]:.3f}",
        }
        for run in runs
    }
)
both = pd.concat([differ.astype(str), ends])
both.index.name = "run"
page.table(both)
