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
# # 04 Openings
#
# Where do strong agents put their first worker: which segment of the wheel, which actions on it, and do some openings win
# more?

# %%
import pandas as pd
from matplotlib import pyplot as plt
from scipy.stats import chisquare

from strategy.estimates import percent, share_of
from strategy.page import Section
from strategy.sets import table
from strategy.settings import strong, wanted

page = Section("04", "Openings")
other = wanted()["other-2"].agents[0]


def openings(name: str) -> pd.DataFrame:
    """First turn of each seat with its result."""
    turns = table(name, "turns")
    first = turns[turns["round"] == 1].drop_duplicates(["game", "seat"])
    ranks = table(name, "ranks")[["game", "seat", "rank"]]
    return first.merge(ranks, on=["game", "seat"]).assign(won=lambda t: t["rank"] == 1)


def label(turns: pd.DataFrame, ring: str) -> pd.Series:
    """The action of a ring with its number, as on the board."""
    numbers = turns[f"{ring}_amount"].astype(str).radd(" ").where(turns.get(f"{ring}_amount", 0) > 0, "")
    return turns[ring].astype(str) + numbers


sets = {strong(): openings("strong-2"), other: openings("other-2")}
mine = sets[strong()]
figure, pictures = plt.subplots(1, 2, figsize=(11, 3.8), layout="constrained")
for axes, ring in zip(pictures, ("inner", "middle")):
    shares = pd.DataFrame(
        {agent: label(turns, ring).value_counts(normalize=True) for agent, turns in sets.items()}
    ).fillna(0)
    shares = 100 * shares.sort_values(strong())
    shares.plot.barh(ax=axes, width=0.75, legend=ring == "inner")
    axes.set(title=f"{ring.capitalize()} action under the first worker", xlabel="first turns, %", ylabel="")
page.show(figure, "Share of first turns by action of the inner and the middle ring")

common = label(mine, "inner") + " + " + label(mine, "middle")
top = common.value_counts()
segments = mine.segment.value_counts().reindex(range(1, 13), fill_value=0)
even = chisquare(segments).pvalue
page.say(
    f"The first worker of {strong()} most often goes to {top.index[0]} ({100 * top.iloc[0] / len(mine):.1f} % of"
    f" {len(mine)} first turns in {mine.game.nunique()} games); its inner action is {label(mine, 'inner').mode()[0]} most often."
)
page.say(
    f"By itself the segment {'matters' if even < 0.05 else 'does not visibly matter'} (chi-square against equal use:"
    f" p = {even:.2g}): the rings are turned by chance at the setup, only the Outer Ring is fixed."
)

# %% [markdown]
# ## Do some openings win more?
#
# Share of games won by the seat's first inner action, two players (par 50 %). Actions that were chosen by at least one
# seat in fifty are shown.

# %%
rows = {}
for agent, turns in sets.items():
    for action, part in turns.groupby(label(turns, "inner")):
        if len(part) >= len(turns) / 50:
            rows[agent, action] = {"first turns": len(part), "won": share_of(part.won, part.game)}
results = pd.DataFrame(rows).T
outside = [not won.holds(0.5) for won in results.won]
page.say(
    f"The 95 % interval of the share of games won leaves out 50 % for {sum(outside)} of {len(results)} first inner"
    f" actions; by chance alone about {0.05 * len(results):.1f} would."
)
shown = results.assign(won=results.won.map(percent)).sort_index()
shown.index = [f"{agent}: {action}" for agent, action in shown.index]
shown.index.name = "first inner action"
page.table(shown)

# %% [markdown]
# ## Segments, rings and coins
#
# First turns by segment; what is done with each ring; how often a ring is turned for two coins before the first worker.

# %%
figure, pictures = plt.subplots(1, 2, figsize=(11, 3), layout="constrained")
for shift, (agent, turns) in enumerate(sets.items()):
    counts = turns.segment.value_counts(normalize=True).reindex(range(1, 13), fill_value=0)
    pictures[0].bar([s + 0.35 * shift for s in counts.index], 100 * counts, width=0.35, label=agent)
pictures[0].axhline(100 / 12, color="grey", linestyle="--", linewidth=0.8)
pictures[0].set(xlabel="segment", ylabel="first turns, %", xticks=range(1, 13), title="Segment of the first worker")
pictures[0].legend(fontsize="small")
outer = pd.DataFrame({agent: turns.outer.value_counts(normalize=True) for agent, turns in sets.items()}).mul(100)
outer[outer.sum(axis=1) > 0].plot.bar(ax=pictures[1], width=0.75, legend=False, rot=40)
pictures[1].set(title="Outer action there", ylabel="first turns, %", xlabel="")
pictures[1].tick_params(axis="x", labelsize=7)
page.show(figure, "First turns by segment and by outer action")
rows = {
    agent: {
        "first turns": len(turns),
        "a ring was turned": f"{100 * (turns.rotation != 'none').mean():.1f} %",
        **{
            f"{ring} action performed": f"{100 * (turns[f'{ring}_choice'] == 'perform').mean():.1f} %"
            for ring in ("inner", "middle", "outer")
        },
    }
    for agent, turns in sets.items()
}
habits = pd.DataFrame(rows).T
habits.index.name = "agent"
page.table(habits)
