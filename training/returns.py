"""Generalised advantage estimation where decisions of several seats share one time line, a value for every seat.

Games are played side by side for T steps.  In step t of row i either one decision is made by the learner, in some
seat, or by somebody else (``decisions[t, i]`` < 0).  Learner's decisions are numbered 0..K - 1 in the order in which
they were made.  Every one is a point of the time line of all seats: what a seat earns while it waits is paid to it at
the decision before, and what it earns at the end of the game reaches it wherever the last decision was.

Source: Schulman et al. 2016 (GAE), with the values of all seats where the paper has one.
"""

from __future__ import annotations

from terracotta_env.kernel import kernel


@kernel
def advantages_and_returns(
    decisions, seats, turns, rewards, ended, values, last_values, discounts, by_turn, advantages, returns
):
    """Write the advantage of the deciding seat and the value targets of all seats.

    Letters: T steps, N rows, K decisions of the learner, P seats (of the table, not relative), V kinds of value.

    Args:
        decisions: ``(T, N)`` int64, number of the learner's decision, < 0 where somebody else decided.
        seats: ``(K,)`` int64, who decided.
        turns: ``(T + 1, N)`` int64, a number that changes when the turn passes to another seat.
        rewards: ``(T, N, P, V)`` float32, earned between step t and step t + 1.
        ended: ``(T, N)`` bool, the game ended in step t; t + 1 is the first of the next game.
        values: ``(K, P, V)`` float32, as estimated at each decision.
        last_values: ``(N, P, V)`` float32, of the positions after step T - 1; not used where a game has just ended.
        discounts: ``(2,)`` float64, gamma and lambda.
        by_turn: True: both are applied where the turn has passed between two decisions, False: at every decision.
        advantages: ``(K, V)`` float32, written.
        returns: ``(K, P, V)`` float32, written: advantage plus value, lambda-returns.
    """
    steps, rows = decisions.shape
    n_seats, kinds = values.shape[1], values.shape[2]
    for i in range(rows):
        for p in range(n_seats):
            for v in range(kinds):
                ahead = float(last_values[i, p, v])  # value of the next decision of the time line
                advantage = 0.0  # and its advantage
                earned = 0.0  # rewards since the decision looked for
                turn = turns[steps, i]  # of the next decision
                for t in range(steps - 1, -1, -1):
                    if ended[t, i]:
                        ahead, advantage, earned = 0.0, 0.0, 0.0
                    earned += rewards[t, i, p, v]
                    k = decisions[t, i]
                    if k < 0:
                        continue
                    gamma, lam = discounts[0], discounts[1]
                    if by_turn and turn == turns[t, i]:
                        gamma, lam = 1.0, 1.0
                    value = values[k, p, v]
                    advantage = earned + gamma * ahead - value + gamma * lam * advantage
                    returns[k, p, v] = value + advantage
                    if p == seats[k]:
                        advantages[k, v] = advantage
                    ahead, earned, turn = value, 0.0, turns[t, i]
