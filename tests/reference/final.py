"""End Game Scoring and the final ranking (R27, R28)."""

from .contests import award, count_owners, decide_warriors
from .mausoleum import Statue, orthogonal, surrounding
from .state import State

FOOTMAN_DOMINATION, FOOTMAN_PRESENCE = 8, 2
GROUP_DOMINATION, GROUP_PRESENCE = 5, 2
GROUP_SIZE, RIVALS = 2, 2  # from how many miniatures, players on
ARCHER_POINTS = 2


def score_game_end(state: State) -> None:
    """Footmen, groups, archers, leftovers (R27)."""
    _score_footmen(state)
    for group in find_groups(state):
        _score_group(state, group)
    _score_archers(state)
    for player in state.players:
        leftovers = player.wet + player.dry + player.coins
        player.score("leftovers", leftovers // 2)


def _score_footmen(state: State) -> None:
    for footman in state.mausoleum.of_kind("footman"):
        around = surrounding(footman.spaces[0])
        warriors = [w for w in state.mausoleum.warriors() if w.stands_in(around)]
        outcome = decide_warriors(state, warriors)
        award(state, outcome, "footman", FOOTMAN_DOMINATION, FOOTMAN_PRESENCE)


def group_type(state: State, statue: Statue) -> str | None:
    """The warrior type a miniature groups as; an archer as what it faces (R27)."""
    if statue.kind == "archer":
        faced = state.mausoleum.faced_by(statue)
        return faced.kind if faced else None
    return statue.kind if statue.is_warrior else None


def find_groups(state: State) -> list[list[Statue]]:
    """Connected miniatures of one type, at least two of them (R27)."""
    groups = []
    seen: set[Statue] = set()
    for start in state.mausoleum.statues:
        kind = group_type(state, start)
        if kind is None or start in seen:
            continue
        seen.add(start)
        group = [start]
        for member in group:  # grows while it is walked
            for space in member.spaces:
                for cell in orthogonal(space):
                    other = state.mausoleum.at(cell)
                    if other is not None and other not in seen and group_type(state, other) == kind:
                        seen.add(other)
                        group.append(other)
        if len(group) >= GROUP_SIZE:
            groups.append(group)
    return groups


def _score_group(state: State, group: list[Statue]) -> None:
    """Every warrior counts the players in its group; then the contest (R27)."""
    warriors = [member for member in group if member.is_warrior]
    counts = count_owners(state, warriors)
    involved = sum(count > 0 for count in counts)
    for player in state.players:
        player.score("group_members", counts[player.seat] * involved)
    if involved >= RIVALS:
        outcome = decide_warriors(state, warriors)
        award(state, outcome, "group_contest", GROUP_DOMINATION, GROUP_PRESENCE)


def _score_archers(state: State) -> None:
    for archer in state.mausoleum.of_kind("archer"):
        faced = state.mausoleum.faced_by(archer)
        if faced is not None:
            assert faced.owner is not None
            state.players[faced.owner].score("archer", ARCHER_POINTS)


def ranking(state: State) -> list[int]:
    """Seats, best first; the final turn order settles ties (R28)."""
    return sorted(state.turn_order, key=lambda seat: state.players[seat].vp, reverse=True)
