"""The command ``record``: games by chosen bots, written as records."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TextIO

import click

from terracotta_env.cli import printable

from .protocol.options import bot_options

if TYPE_CHECKING:
    from terracotta_env.policy import Policy
    from terracotta_env.position import Position


@click.command()
@click.option("--players", type=click.IntRange(2, 4), required=True, help="Number of players.")
@click.option("--games", type=click.IntRange(min=1), required=True, help="Number of games.")
@click.option(
    "--seed", type=click.IntRange(0, 2**64 - 1), default=0, show_default=True, help="Draws all setups and bots."
)
@click.option(
    "--agents",
    required=True,
    metavar="A,B,..",
    help="Bots by seat, or one for all: random, busy, greedy, planner, mcts:1000, module:Class, cmd:COMMAND.",
)
@click.option(
    "--board", default="reconstructed", show_default=True, help="Printed data: a shipped name or a TOML file."
)
@click.option("--trace", is_flag=True, help="Also write what was known before each decision.")
@click.option("--snapshots", is_flag=True, help="With the trace, the whole position before each decision.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True, help="File to write (.jsonl).")
@bot_options
@click.option("--overwrite", is_flag=True, help="Replace the file if it exists.")
@click.option("--resume", is_flag=True, help="Go on after the games that the file holds already.")
def record(
    players: int,
    games: int,
    seed: int,
    agents: str,
    board: str,
    trace: bool,
    snapshots: bool,
    out: Path,
    bot_cmd: tuple[str, ...],
    bot_seconds: float,
    bot_game_seconds: float,
    overwrite: bool,
    resume: bool,
) -> None:
    """Play games and write their records, one JSON object a line.

    A game that a --bot-cmd or cmd: bot forfeits is no whole game: it goes into a file of its own, named like --out but
    .forfeits.jsonl, with the reason, the decisions until then and the ranking by the forfeit rule.

    Game number K has the same setup and the same bots' random numbers whatever the number of games, so an interrupted
    run goes on with --resume.
    """
    from terracotta_env.army import GAME
    from terracotta_env.interrupt import Interruption
    from terracotta_env.policy import game_over_all, stream
    from terracotta_env.position import Position
    from terracotta_env.record import play_record

    from .forfeit import BotFault, forfeit_record
    from .protocol.options import bot_limits, read_bot_commands
    from .registry import BOTS, FAMILIES, close_agents, make_agents, split_codes

    if overwrite and resume:
        raise click.UsageError("--overwrite and --resume exclude each other: choose one")
    files = _Files(out, resume)
    for path in files.paths:
        if path.exists() and not (overwrite or resume):
            raise click.ClickException(f"{path} exists: choose another name, or add --overwrite or --resume")
    own = read_bot_commands(bot_cmd, GAME, bot_limits(bot_seconds, bot_game_seconds), [*BOTS, *FAMILIES])
    start = Position.from_seed(GAME, players, seed, board)  # a bad board is told before the file is touched
    with ExitStack() as stack:
        policies = make_agents(split_codes(agents), players, own)
        stack.callback(close_agents, policies)
        stack.callback(files.close)
        if resume:
            for path, word in zip(files.paths, ("record", "forfeit")):
                if path.exists():
                    _check_same(path, start, seed, policies, trace or snapshots, snapshots, word)
        done = files.open()
        with (
            suppress(KeyboardInterrupt),  # of a second Ctrl-C
            Interruption() as interruption,
            click.progressbar(range(done, games), label=f"{max(games - done, 0)} games", file=sys.stderr) as bar,
        ):
            for game in bar:
                game_seed = stream(seed, game)
                for seat, policy in enumerate(policies):
                    policy.begin(stream(seed, game, 1 + seat))
                position = Position.from_seed(GAME, players, game_seed, board)
                meta = {"seed": seed, "game": game, "setup_seed": game_seed}
                try:
                    files.write(play_record(position, policies, trace, snapshots, meta))
                except BotFault as fault:
                    forfeited = forfeit_record(position, fault)
                    game_over_all(policies, {key: forfeited[key] for key in ("vp", "ranking", "forfeit")})
                    files.write_forfeit(forfeited)
                    click.echo(f"\ngame {game} is forfeited: {printable(str(fault))}", err=True)
                if interruption.asked:
                    break
    if files.written < games:
        click.echo(
            f"\n{out} holds {files.kept(whole=True)} whole games{files.forfeits()}; go on with --resume", err=True
        )
        raise click.Abort
    click.echo(f"{files.kept(whole=True)} games in {out}{files.forfeits()}")


class _Files:
    """The file of records and, beside it, that of forfeited games, made when there is something to write.

    A run that fails at once leaves old files alone and no empty ones behind.
    """

    def __init__(self, out: Path, resume: bool) -> None:
        self.paths = (out, out.with_name(f"{out.name.removesuffix('.jsonl')}.forfeits.jsonl"))
        self.counts = [0, 0]
        self._mode: Literal["a", "w"] = "a" if resume else "w"
        self._files: list[TextIO | None] = [None, None]

    @property
    def written(self) -> int:
        return sum(self.counts)

    def open(self) -> int:
        """Make the folder; the number of games that are there to go on from."""
        from terracotta_env.record import whole_lines

        if self._mode == "a":
            self.counts = [whole_lines(path) if path.exists() else 0 for path in self.paths]
        self.paths[0].parent.mkdir(parents=True, exist_ok=True)
        return self.written

    def write(self, record: Mapping[str, Any]) -> None:
        self._write(0, record)

    def write_forfeit(self, record: Mapping[str, Any]) -> None:
        self._write(1, record)

    def _write(self, which: int, record: Mapping[str, Any]) -> None:
        from terracotta_env.record import write_line

        if self._mode == "w" and not self.written:
            self._clear(1 - which)
        file = self._files[which]
        if file is None:
            file = self._files[which] = self.paths[which].open(self._mode, encoding="utf-8")
        write_line(file, record)
        self.counts[which] += 1

    def _clear(self, which: int) -> None:
        """Both files are replaced together, also where only one is written anew."""
        if self.paths[which].is_file():
            self.paths[which].write_bytes(b"")
            if which == 1:
                self.paths[which].unlink()

    def kept(self, whole: bool) -> int:
        return self.counts[0 if whole else 1]

    def forfeits(self) -> str:
        return f", {self.counts[1]} forfeited in {self.paths[1]}" if self.counts[1] else ""

    def close(self) -> None:
        for file in self._files:
            if file is not None:
                file.close()


def _check_same(
    out: Path, start: Position, seed: int, policies: Sequence[Policy], trace: bool, snapshots: bool, word: str
) -> None:
    """Going on with other settings would mix two experiments in one file; a file of another kind is not touched."""
    from terracotta_env.errors import RecordError
    from terracotta_env.record import read_lines

    notation, form = start.game.notation, f"{start.game.name}-{word}"
    try:
        first = next(read_lines(out), (0, None))[1]
    except RecordError as error:
        if out.read_bytes().startswith(f'{{"format": "{form}"'.encode()):
            return  # its only game was cut off
        raise click.ClickException(f"{out} is not a file of game records: {error}") from None
    if first is None:
        return
    meta = first.get("meta") or {}
    entries = first.get("trace") or [{}]
    settings = {
        "format": (first.get("format"), form),
        "rules": (first.get("rules"), start.game.rules_version),
        "players": (first.get("players"), start.players),
        "board": (first.get("board"), notation.board_of(start.states)),
        "board_data": (first.get("board_data"), notation.board_data_of(start.states)),
        "agents": (first.get("agents"), [policy.name for policy in policies]),
        "agents' versions": (meta.get("versions"), {policy.name: policy.version for policy in policies}),
        "seed": (meta.get("seed"), seed),
        "--trace": ("trace" in first, trace),
        "--snapshots": ("snapshot" in entries[0], snapshots),
    }
    for key, (found, wanted) in settings.items():
        if found != wanted and not (key == "board_data" and start.states[0]["shuffled_rings"]):
            complaint = f"{out} was made with {key} {found!r}, not {wanted!r}"
            raise click.ClickException(f"{complaint}: --resume needs the same settings")
