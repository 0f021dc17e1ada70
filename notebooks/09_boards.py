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
# # 09 How far do conclusions depend on the reconstructed print?
#
# The published values of the board are not known; they are reconstructed. The same analysis on every board that ships with
# the package: what stays the same can be believed of the game, what changes is a result on the named board only.

# %%
import pandas as pd
from matplotlib import pyplot as plt

from strategy.estimates import margins, mean_of, number, percent, reach, share_of, signed
from strategy.page import Section
from strategy.sets import points_by_source, specialists, table
from strategy.settings import BOARDS, DEFAULT_BOARD, strong

page = Section("09", "How far do conclusions depend on the reconstructed print?")
sources, rows = {}, {}
for board in BOARDS:
    name = "strong-2" if board == DEFAULT_BOARD else f"board-{board}"
    points, ranks, turns = points_by_source(name), table(name, "ranks"), table(name, "turns")
    ranks["margin"] = margins(ranks)
    won = points[(ranks["rank"] == 1).to_numpy()].droplevel("seat")
    lead = won - points[(ranks["rank"] > 1).to_numpy()].groupby("game").mean()
    first = ranks[ranks.start_place == 1]
    sources[board] = points.mean()
    built = specialists(turns)
    masters = turns[turns.middle.astype(str).str.startswith("master:") & (turns.middle_choice == "perform")]
    rows[board] = {
        "games": len(won),
        "points a seat": mean_of(ranks.points, ranks.game),
        "largest source": points.mean().idxmax(),
        "winners lead most by": lead.mean().idxmax(),
        "who begins wins": share_of(first["rank"] == 1, first.game),
        "margin of who begins": mean_of(first.margin, first.game),
        "Warriors a game": mean_of(ranks.groupby("game").warriors.sum(), ranks.game.drop_duplicates()),
        "Specialists a game": mean_of(
            built.groupby("game").size().reindex(won.index, fill_value=0), won.index.to_series()
        ),
        "masters used a game": mean_of(
            masters.groupby("game").size().reindex(won.index, fill_value=0), won.index.to_series()
        ),
    }
boards = pd.DataFrame(rows).T
mix = pd.DataFrame(sources)
mix = 100 * mix / mix.sum()
figure, pictures = plt.subplots(1, 2, figsize=(11, 4), layout="constrained", width_ratios=(2, 1))
mix.loc[mix.mean(axis=1).sort_values(ascending=False).index].plot.bar(ax=pictures[0], width=0.8, rot=35)
pictures[0].set(ylabel="share of all points, %", xlabel="", title="Points by source")
pictures[0].legend(fontsize="small")
begins = list(boards["who begins wins"])
pictures[1].errorbar([100 * e.value for e in begins], range(len(begins)), xerr=100 * reach(begins), fmt="o", capsize=3)
pictures[1].axvline(50, color="grey", linestyle="--", linewidth=0.8)
pictures[1].set_yticks(range(len(begins)), boards.index, fontsize=8)
pictures[1].set(xlabel="games won by who begins, %", title="Turn order")
page.show(figure, "Share of points by source on every board, and games won by who begins")

same = {word: boards[word].nunique() == 1 for word in ("largest source", "winners lead most by")}
overlap = max(e.low for e in begins) <= min(e.high for e in begins)
page.say(
    f"On {len(boards)} boards ({', '.join(f'{b} {n} games' for b, n in boards.games.items())}, two players of {strong()}) the largest"
    f" source of points is {'the same' if same['largest source'] else 'not the same'} ({', '.join(boards['largest source'].unique())})"
    f" and what winners lead by most is {'the same' if same['winners lead most by'] else 'not the same'}"
    f" ({', '.join(boards['winners lead most by'].unique())})."
)
page.say(
    f"The intervals of the share of games won by who begins {'all meet' if overlap else 'do not all meet'}"
    f"{', and all contain 50 %' if all(e.holds(0.5) for e in begins) else ''}."
)

# %% [markdown]
# ## Every board

# %%
forms = {
    "points a seat": number,
    "who begins wins": percent,
    "margin of who begins": signed,
    "Warriors a game": number,
    "Specialists a game": number,
    "masters used a game": number,
}
shown = boards.copy()
for column, form in forms.items():
    shown[column] = shown[column].map(form)
shown = shown.T
shown.index.name = "board"
page.table(shown)
rank = mix.rank(ascending=False)
agree = rank.corr(method="spearman")[DEFAULT_BOARD].drop(DEFAULT_BOARD)
page.say(
    "Rank correlation of the sources' shares with the reconstructed board:",
    ", ".join(f"{board} {value:.2f}" for board, value in agree.items()) + ".",
)
