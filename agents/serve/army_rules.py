"""The rules of Terracotta Army in own words, for people who never saw it: chapters, and help for each decision."""

from __future__ import annotations

from typing import Final

from terracotta_env.army.state import Decision

from .speech import Help

RULES: Final = (
    Help(
        "What it is about",
        (
            "You and up to three others fill an emperor's tomb, the Mausoleum, with clay Warriors. Having more "
            "Warriors than the others in the right rows, columns, quarters and groups gives Victory Points (VP). After "
            "five rounds the highest total wins; a tie goes to whoever is earlier in the turn order.",
            "A seat is a place at the table: seat 0, seat 1 and so on are the players. A Statue is any figure in the "
            "Mausoleum: a Warrior of anybody, or one of the Specialists (Horse, Footman, Kneeling Archer, Musician).",
        ),
    ),
    Help(
        "A turn",
        (
            "1. You may pay 2 Coins to turn the Inner Ring one step clockwise or the Middle Ring one step "
            "counterclockwise.",
            "2. You place one worker on one of the wheel's twelve segments.",
            "3. You do the three actions of that segment from the inside out: Inner, Middle, Outer. On the Inner and "
            "Middle Ring you may take 1 Wet Clay or 1 Coin instead, on any ring you may do nothing.",
            "Everybody places one worker in turn until no one has any left. Then the round is scored, and the clean-up "
            "prepares the next one.",
        ),
    ),
    Help(
        "Workers",
        (
            "A segment has two places. A Craftsman needs a segment without workers. An Artisan may also join a single "
            "Craftsman. A segment with an Artisan is closed for the round.",
            "The upgrade action turns the Craftsman who does it into an Artisan for good.",
        ),
    ),
    Help(
        "Clay, Coins and Weapons",
        (
            "Warriors are made of Wet Clay. In the clean-up your Wet Clay dries; soaking makes it wet again.",
            "One piece of the clay that pays for a Warrior goes, dry, to the warehouse of that quarter of the wheel.",
            "Each of your four Weapons is active or inactive. Using one makes it inactive; the ready actions of the "
            "Outer Ring make it active.",
        ),
    ),
    Help(
        "Warriors",
        (
            "A Warrior stands on any empty space and scores at once the VP printed beside its figure in the "
            "Organizer, the stock of figures that all players share. Then its Weapon, if active, may be used:",
            "Officer (Sword): 1 VP, and an Inspector may move one step either way. Guard (Halberd): 3 VP, and another "
            "of your Warriors may slide in a straight line. Crossbowman (Crossbow): 1 VP for each empty space up to "
            "the nearest Statue in the best direction. Soldier (Spear): 1 VP and 2 Coins.",
            "Bases: every Warrior gets one of your 15 bases, which show whose it is. Without a base you can make no "
            "more Warriors.",
        ),
    ),
    Help(
        "Specialists",
        (
            "They cost Coins and an active Weapon, and belong to nobody.",
            "Horse: one of your Warriors mounts it and covers three spaces in a line, still counting as one Warrior.",
            "Footman: at the end, Domination on the eight spaces around it is worth 8 VP, Presence 2.",
            "Kneeling Archer: faces a Warrior, joins that Warrior's group, breaks ties for its owner and is worth 2 VP "
            "to them at the end.",
            "Musician: in every scoring each Warrior in its row or column is worth 1 VP to its owner.",
        ),
    ),
    Help(
        "Masters",
        (
            "The first time you use a Master you pay one of your six tokens, which cost 1 to 6 Coins; each token "
            "serves once. After that the Master is yours and costs nothing more to buy.",
            "In the clean-up after each round Builder, Administrator and Inspector give 1 Coin; Clay Maker, "
            "Supervisor and Blacksmith keep one Wet Clay from drying.",
        ),
    ),
    Help(
        "Priority token",
        (
            "It gives an early place in the next round's turn order: number 1 goes first, 2 second, 3 third. Those "
            "without one follow in their old order.",
            "You take the lowest number that is left and can hold only one. There is one token fewer than players; "
            "2 and 3 also bring Wet Clay. In the clean-up all are given back.",
        ),
    ),
    Help(
        "Domination and Presence",
        (
            "Most scorings compare how much of something the players have. Domination: you alone have the most, and "
            "score the larger number. Presence: you have at least one, but not Domination, and score the smaller "
            "number. Nobody scores both.",
            "If several players tie for the most, none of them has Domination and each of them has Presence. A "
            "Kneeling Archer can break a tie between Warriors for the player whose Warrior it faces.",
        ),
    ),
    Help(
        "Scoring a round",
        (
            "The row Inspector compares the Warriors in his row, the column Inspector those in his column: 7 VP for "
            "Domination, 3 VP for Presence. Each then steps forward.",
            "Musicians score. Then this round's Scoring tile compares what it shows: a row, a column, a quarter, a "
            "type of Warrior, Coins or Clay. The larger number on it is for Domination, the other for Presence.",
        ),
    ),
    Help(
        "The clean-up",
        (
            "It follows the scoring of each round. Priority tokens set the new turn order, all Wet Clay dries but what "
            "your Masters keep wet, and Masters bring their Coins.",
            "Before the next round the workers come back and both rings turn one step, free of charge: the Inner Ring "
            "clockwise, the Middle Ring counterclockwise.",
        ),
    ),
    Help(
        "The end",
        (
            "After round 5: Footmen score. Then Warriors that touch no other of their type are taken away; those that "
            "touch, side by side, are a group. In each group every Warrior is worth as many VP as there are players in "
            "that group. Where at least two players share a group, Domination is worth 5 VP more and Presence 2.",
            "Kneeling Archers give 2 VP to those they face; two leftover Coins or Clay are worth 1 VP.",
        ),
    ),
    Help(
        "How this page works",
        (
            "What you can do now is lit on the board, and listed beside it. Click it, or move with the arrow keys "
            "and press Enter. Every choice tells what it costs and gives; its question mark tells what would change.",
            "“16 → 19” means that a number goes from 16 to 19. The tab Story tells each turn when it ends, Points "
            "where the VP came from, Analysis what a bot thinks, In words the whole board as text.",
            "Hint asks a bot, Undo takes your last choice back. The slider under the board shows earlier moments.",
        ),
    ),
    Help(
        "Printed boards and the seed",
        (
            "The printed board is what board, rings and Organizer show: which actions there are, what they cost, what "
            "figures are worth. “reconstructed” is the usual one: what is not publicly known of the real print is "
            "filled in by reasoning.",
            "“flat”: all figures are worth the same. “rising”: later figures of a type are worth more. “shuffled”: the "
            "order of the actions on each ring is drawn for every game. “specialists-outside”: the Outer Ring has "
            "eight segments for Specialists and four that ready a Weapon.",
            "The seed is a number from which chance is drawn: the same seed with the same players and printed board "
            "gives the same start.",
        ),
    ),
)

HELP: Final = {
    Decision.ROTATE: Help(
        "Turning a ring",
        (
            "Before placing a worker you may pay 2 Coins to turn one ring by one step: the Inner Ring clockwise or the "
            "Middle Ring counterclockwise. The Outer Ring is printed and never turns.",
            "All actions of that ring move to the next segment: useful to bring two good actions together.",
            "2 Coins are a lot: a Coin taken instead of an action is only 1. So turning no ring is the usual choice.",
        ),
    ),
    Decision.PLACE: Help(
        "Placing a worker",
        (
            "Choose a segment: you get its Inner, Middle and Outer action, in that order. What is marked “not now” "
            "you could not perform yet; on the Inner and Middle Ring you would take a Clay or a Coin instead.",
            "Early on, look for Clay and Coins; with 2 to 4 Wet Clay look for a Warrior of that price.",
        ),
    ),
    Decision.RING: Help(
        "An action",
        (
            "You may also do nothing.",
            "On the Inner and Middle Ring you may take 1 Wet Clay or 1 Coin instead of the action.",
        ),
    ),
    Decision.WARRIOR_TYPE: Help(
        "Which Warrior",
        (
            "Every figure has its VP in the Organizer; the next one of each type is told beside the choice.",
            "Groups score at the end only among Warriors of one type, and a type whose Weapon you have active gives "
            "its extra effect.",
        ),
    ),
    Decision.WARRIOR_CELL: Help(
        "Where it stands",
        (
            "Rows and columns with an Inspector score at the end of this round, so does what the Scoring tile shows.",
            "Next to a Warrior of the same type you form a group for the end of the game, also with others' Warriors: "
            "the more players in a group, the more each of its Warriors is worth.",
        ),
    ),
    Decision.WEAPON: Help(
        "Using the Weapon",
        (
            "You get the effect now and the Weapon becomes inactive. Specialists need an active Weapon too: keep it "
            "if you plan to build one.",
        ),
    ),
    Decision.OFFICER_INSPECTOR: Help(
        "Moving an Inspector",
        (
            "One step forward or backward. Where the Inspectors stand when the round ends decides which row and "
            "column score: 7 VP for Domination (alone the most Warriors there), 3 VP for Presence (at least one).",
        ),
    ),
    Decision.GUARD_WARRIOR: Help(
        "Moving a Warrior",
        ("Choose which of your other Warriors slides in a straight line over empty spaces. Riders cannot move.",),
    ),
    Decision.GUARD_GOAL: Help(
        "Where it goes",
        ("Any empty space in its row or column that it reaches without passing a Statue, which is any figure.",),
    ),
    Decision.HORSE_RIDER: Help(
        "Who mounts the Horse",
        (
            "The Warrior then covers three spaces in a line. It counts once in every row, column, quarter and group "
            "that any of the three touches, and cannot move any more.",
        ),
    ),
    Decision.HORSE_DIRECTION: Help(
        "Which way the Horse reaches",
        ("From the rider's space over the next two, which must be empty.",),
    ),
    Decision.ARCHER_CELL: Help(
        "Where the Kneeling Archer stands",
        ("Beside any Warrior: the one you let it face gets 2 VP at the end for its owner, and wins ties.",),
    ),
    Decision.ARCHER_FACING: Help(
        "Whom the Kneeling Archer faces",
        (
            "It counts as a figure of that Warrior's type for groups, breaks ties for its owner and gives the owner "
            "2 VP at the end. Face your own, if you can.",
        ),
    ),
    Decision.MASTER_TOKEN: Help(
        "Buying a Master",
        ("Each token serves once, so cheap tokens now make later Masters dearer. The Master is yours from now on.",),
    ),
    Decision.BUILDER_TYPE: Help(
        "Master Builder",
        (
            "A Warrior for as many Coins as the number of the round, without clay, VP or Weapon; only of a type with "
            "the most figures left.",
        ),
    ),
    Decision.ADMINISTRATOR: Help(
        "Master Administrator", ("The Inner Ring's action of this segment once more, at its usual price.",)
    ),
    Decision.MASTER_INSPECTOR: Help(
        "Master Inspector", ("One Inspector may go one or two steps forward on his track.",)
    ),
    Decision.SUPERVISOR: Help(
        "Master Supervisor", ("You take all Dry Clay of two warehouses. Soak it to make Warriors of it.",)
    ),
    Decision.OVER: Help("The end", ("The most VP wins. The Points tab shows where they came from.",)),
}
HELP[Decision.BUILDER_CELL] = Help(
    HELP[Decision.WARRIOR_CELL].title,
    ("This Warrior scores no VP now and uses no Weapon.", *HELP[Decision.WARRIOR_CELL].lines),
)

# by the word of an Action space
SPACE_HELP: Final = {
    "coins": Help("Coins", ("They buy Masters, Specialists and turns of a ring. You get the number shown.",)),
    "clay": Help("Wet Clay", ("It makes Warriors, this round: what is left dries when the round ends.",)),
    "warrior": Help(
        "Making a Warrior",
        (
            "You pay the Wet Clay shown, choose a type and a space, score its VP and may use its Weapon. Most points "
            "of the game come from Warriors.",
        ),
    ),
    "soak": Help("Soaking the Clay", ("All your Dry Clay becomes Wet.",)),
    "upgrade": Help(
        "Upgrading",
        ("The Craftsman here becomes an Artisan for good: from now on he can join segments that others hold.",),
    ),
    "priority": Help(
        "Priority token",
        (
            "Its number is your place in the next round's turn order: 1 goes first. The numbers 2 and 3 also bring Wet "
            "Clay. You can hold one only, and give it back when the round ends.",
        ),
    ),
    "builder": Help(
        "Master Builder", (*HELP[Decision.BUILDER_TYPE].lines, "After each round, in the clean-up, he brings 1 Coin.")
    ),
    "administrator": Help(
        "Master Administrator",
        (*HELP[Decision.ADMINISTRATOR].lines, "After each round, in the clean-up, he brings 1 Coin."),
    ),
    "inspector": Help(
        "Master Inspector",
        (*HELP[Decision.MASTER_INSPECTOR].lines, "After each round, in the clean-up, he brings 1 Coin."),
    ),
    "clay_maker": Help(
        "Master Clay Maker", ("3 Wet Clay at once. After each round, in the clean-up, he keeps one Wet Clay wet.",)
    ),
    "supervisor": Help(
        "Master Supervisor",
        (*HELP[Decision.SUPERVISOR].lines, "After each round, in the clean-up, he keeps one Wet Clay wet."),
    ),
    "blacksmith": Help(
        "Master Blacksmith",
        ("All your Weapons become active. After each round, in the clean-up, he keeps one Wet Clay wet.",),
    ),
    "ready": Help(
        "Readying a Weapon",
        ("Active Weapons give the effects of new Warriors and are needed to build Specialists.",),
    ),
    "horse": Help(
        "Horse", ("One of your Warriors mounts it and covers three spaces in a line; it counts once in each area.",)
    ),
    "footman": Help(
        "Footman",
        (
            "At the end it looks at the Warriors on the eight spaces around it: 8 VP for Domination (alone the most), "
            "2 VP for Presence (at least one).",
        ),
    ),
    "archer": Help(
        "Kneeling Archer",
        ("It faces a Warrior: it breaks ties for its owner, joins its group, and gives the owner 2 VP at the end.",),
    ),
    "musician": Help(
        "Musician",
        ("In every scoring, each Warrior in its row or column gives its owner 1 VP. Put it where you have many.",),
    ),
}
