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
# # 03 Seats and turn order
#
# Is it better to begin? Do the extra coins and clay of later places make up for it, and what is the first place of a later
# round worth, the one that the Priority token gives?

# %%
import pandas as pd
from matplotlib import pyplot as plt

from strategy.estimates import margins, mean_of, percent, reach, share_of, signed, slope_of
from strategy.page import Section
from strategy.sets import points_by_round, table
from strategy.settings import strong

page = Section("03", "Seats and turn order")
FEW = 20  # seats with a token: fewer show nothing
found = []
figure, pictures = plt.subplots(1, 3, figsize=(11, 3.4), layout="constrained")
for players, axes in zip((2, 3, 4), pictures):
    for shift, (label, name) in enumerate(((strong(), f"strong-{players}"), ("greedy", f"greedy-{players}"))):
        ranks = table(name, "ranks")
        ranks["margin"] = margins(ranks)
        places = [seats for _, seats in ranks.groupby("start_place")]
        shares = [share_of(seats["rank"] == 1, seats.game) for seats in places]
        leads = [mean_of(seats.margin, seats.game) for seats in places]
        found += [
            {"players": players, "agent": label, "set": name, "place": n + 1, "won": s, "margin": m, "par": 1 / players}
            for n, (s, m) in enumerate(zip(shares, leads))
        ]
        x = [n + 1 + 0.15 * shift for n in range(players)]
        heights = [100 * s.value for s in shares]
        axes.errorbar(x, heights, 100 * reach(shares), fmt="o", capsize=3, label=f"{label}, {shares[0].count} games")
    axes.axhline(100 / players, color="grey", linewidth=0.8, linestyle="--")
    axes.set(title=f"{players} players", xlabel="place in the turn order of round 1", xticks=range(1, players + 1))
    axes.set_ylim(0, 200 / players)
    axes.legend(fontsize="small", loc="lower center")
pictures[0].set_ylabel("games won, %")
page.show(figure, "Share of games won by starting place, with 95 % intervals and the fair share dashed")

seats = pd.DataFrame(found)
seats["unfair"] = [not won.holds(par) for won, par in zip(seats.won, seats.par)]
mine = seats[seats.set.str.startswith("strong")]
page.say(
    f"The 95 % interval of the share of games won leaves out the fair share for {mine.unfair.sum()} of {len(mine)} starting"
    f" places of {strong()} and {seats.unfair.sum() - mine.unfair.sum()} of {len(seats) - len(mine)} of greedy; of {strong()}'s:",
    "; ".join(f"{s.players} players, place {s.place}: {percent(s.won)}" for s in mine[mine.unfair].itertuples())
    or "none",
    ".",
)
chosen = seats[(seats.players == 2) & (seats.place == 1)].iloc[0]
page.say(
    f"With two players of {chosen.agent}, who begins wins {percent(chosen.won)} of {chosen.won.count} games, by"
    f" {signed(chosen.margin)} points on average: {'no difference that these games can show' if chosen.won.holds(0.5) and chosen.margin.holds(0) else 'more than chance'}."
)

# %% [markdown]
# ## Every starting place
#
# `margin` is the final points of the seat less the mean of the others'. Later places begin with 1 or 2 more coins and 1 to 3
# wet clay: a margin around 0 says that these are a fair price for it.

# %%
shown = seats.assign(won=seats.won.map(percent), margin=seats.margin.map(signed), games=[w.count for w in seats.won])
page.table(shown.set_index("players")[["agent", "place", "games", "won", "margin"]])

# %% [markdown]
# ## The first place of a round
#
# Points that a seat scores in a round by its place in that round, less the mean of the other seats in the same round: rounds
# 2 to 5. The order changes only where somebody took a Priority token in the round before.

# %%
rows = []
for players in (2, 3, 4):
    rounds = points_by_round(f"strong-{players}")
    later = rounds[rounds["round"] > 1].copy()
    others = later.groupby(["game", "round"]).points.transform("sum") - later.points
    later["ahead"] = later.points - others / (players - 1)
    rows += [(players, place, mean_of(part.ahead, part.game)) for place, part in later.groupby("place")]
    if players == 2:
        by_round = [mean_of(part.ahead, part.game) for _, part in later[later.place == 1].groupby("round")]
figure, axes = plt.subplots(figsize=(5.5, 3), layout="constrained")
axes.errorbar(range(2, 6), [e.value for e in by_round], reach(by_round), fmt="o", capsize=3)
axes.axhline(0, color="grey", linewidth=0.8)
axes.set(xlabel="round", ylabel="points ahead in the round", xticks=range(2, 6))
axes.set_title(f"Who is first in a round, two players of {strong()}", fontsize="medium")
page.show(figure, "Points ahead of the first seat by round")
order = pd.DataFrame(rows, columns=["players", "place in the round", "points ahead in the round"])
first = order.iloc[0, 2]
page.say(
    f"With two players the first seat of a round scores {signed(first)} points more in it than the other"
    f" ({first.count} rounds of {strong()})."
)
order.iloc[:, 2] = order.iloc[:, 2].map(signed)
page.table(order.set_index("players"))

# %% [markdown]
# ## The Priority token
#
# Who takes tokens, and what goes with a token. `busy` takes them almost at random, so its margin for each token is close to
# what a token gives to such a player; strong agents take few.

# %%
rows = []
for players in (2, 3, 4):
    for label, name in ((strong(), f"strong-{players}"), ("busy", f"busy-{players}")):
        turns, ranks = table(name, "turns", ["game", "seat", "middle", "middle_choice"]), table(name, "ranks")
        taken = (
            turns[(turns.middle == "priority") & (turns.middle_choice == "perform")].groupby(["game", "seat"]).size()
        )
        ranks["tokens"] = taken.reindex(pd.MultiIndex.from_frame(ranks[["game", "seat"]]), fill_value=0).to_numpy()
        away = ranks.tokens - ranks.groupby("game").tokens.transform("mean")
        slope = slope_of(away, margins(ranks), ranks.game) if (ranks.tokens > 0).sum() >= FEW else None
        rows.append(
            {
                "players": players,
                "agent": label,
                "games": ranks.game.nunique(),
                "tokens a seat": f"{ranks.tokens.mean():.3f}",
                "seats with any": int((ranks.tokens > 0).sum()),
                "margin for each one more": signed(slope) if slope else "too few",
            }
        )
tokens = pd.DataFrame(rows)
page.say(
    "Priority tokens a seat:",
    "; ".join(f"{t.players} players of {t.agent} {t._4} ({t.games} games)" for t in tokens.itertuples()),
    ".",
)
page.table(tokens.set_index("players"))
