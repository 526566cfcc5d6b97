"""Whole games through the real server."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

import cyvasse
from tests.server.harness import Person, Refused, Server, friends, get, setup_of, to_move, until
from tests.tiers import one_of

RULE_SETS = [rules.id for rules in cyvasse.rule_sets()]


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_two_friends_play(server: Server, rule_set: str) -> None:
    white, black, game = friends(server, rule_set)
    seats = {"white": white, "black": black}
    with white.socket() as at_white, black.socket() as at_black:
        assert at_white.watch(game)["you"] == ["white"]
        snapshot = at_black.watch(game)
        assert snapshot["you"] == ["black"]
        number = snapshot["number"]
        for _ in range(12):
            view = seats["white"].see(game)["view"]
            mover = at_white if to_move(view) == "white" else at_black
            action = view["legal_actions"][0]
            done = mover.do(game, "play", action=action, ply=view["ply"])
            assert done["type"] == "done", done
            number += 1
            assert done["number"] == number
            for board in (at_white, at_black):
                board.hear_number(number)
    assert seats["black"].see(game)["view"]["ply"] == 12
    text = white.http.get(f"games/{game}/file").text
    again = cyvasse.read_game(text)
    assert again.ply == 12
    assert again.tags["White"] == white.name


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_against_a_bot(server: Server, rule_set: str) -> None:
    me = server.person()
    game = me.create(rule_set, {"kind": "bot", "level": 2}, first="black")["game"]
    me.do(game, "submit", setup=me.get(f"rules/{rule_set}/setup", color="white"))

    def my_turn() -> bool:
        view = me.see(game)["view"]
        return bool(view["ply"] > 0 and to_move(view) == "white")

    until(my_turn, "the bot has begun")
    me.play(game)
    assert me.see(game)["view"]["ply"] >= 2


def hint_of(me: Person, game: str, held: list[str] | None = None) -> dict[str, Any]:
    answer = me.post(f"games/{game}/hint", {} if held is None else {"held": held})
    assert isinstance(answer, dict)
    return answer


@pytest.mark.parametrize("rule_set", one_of(RULE_SETS, "croft"))
def test_a_newcomer_who_plays_every_hint_wins_the_first_game(server: Server, rule_set: str) -> None:
    """White, who begins, against level 1; the bot, too, plays or gives up to the end."""
    me = server.person()
    game = me.create(rule_set, {"kind": "bot", "level": 1}, first="white")["game"]
    me.do(game, "submit", setup=me.get(f"rules/{rule_set}/setup", color="white"))

    def goes_on() -> bool:
        def at_rest() -> bool:
            seen = me.see(game)
            return bool(seen["standing"]["status"] != "playing" or to_move(seen["view"]) == "white")

        until(at_rest, "the bot has answered")
        return bool(me.see(game)["standing"]["status"] == "playing")

    while goes_on():
        view = me.see(game)["view"]
        hint = hint_of(me, game)
        assert hint["action"] in view["legal_actions"]
        if hint["origin"] is not None:
            position = cyvasse.parse_position(me.http.get(f"games/{game}/position").text)
            piece = position.piece_at(hint["origin"])
            assert piece is not None
            assert position.rules.piece_type(piece.type).letter == hint["piece"]
        me.do(game, "play", action=hint["action"], ply=view["ply"])
    assert me.see(game)["standing"]["outcome"]["result"] == "1-0"


def test_hints_after_what_is_not_sent_yet(server: Server) -> None:
    """In Nine-Tile two Rabble act in a turn."""
    me = server.person()
    game = me.create("nine-tile", {"kind": "bot", "level": 1}, first="white")["game"]
    me.do(game, "submit", setup=me.get("rules/nine-tile/setup", color="white"))
    position = cyvasse.parse_position(me.http.get(f"games/{game}/position").text)
    for action in position.legal_actions():
        position.play(action)
        if position.in_turn:
            break
        position.undo()
    hint = hint_of(me, game, [str(action)])
    assert hint["action"] in [str(each) for each in position.legal_actions()]
    with pytest.raises(Refused) as error:
        hint_of(me, game, [str(action), "end"])
    assert error.value.problem["detail"] == (
        "Your turn is whole: play it, or take an action of it back."
    )
    with pytest.raises(Refused) as error:
        hint_of(me, game, ["a1-a1"])
    assert error.value.status == 422


def test_hints_that_are_refused(server: Server) -> None:
    white, black, game = friends(server, "nine-tile")

    def refused(person: Person, game: str) -> str:
        with pytest.raises(Refused) as error:
            hint_of(person, game)
        return str(error.value.problem["detail"])

    between = "Hints are for games against a bot; between people everyone thinks alone."
    assert refused(white, game) == refused(black, game) == between
    assert "You are watching this game" in refused(server.person(), game)
    me = server.person()
    shared = me.create("nine-tile", {"kind": "same_screen"})["game"]
    assert "Two people play at this screen" in refused(me, shared)
    against = me.create("nine-tile", {"kind": "bot", "level": 1}, first="white")["game"]
    assert "The screen stands" in refused(me, against)
    me.do(against, "submit", setup=me.get("rules/nine-tile/setup", color="white"))
    me.do(against, "resign")
    assert "The game is over" in refused(me, against)


@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_a_position_by_link_is_drawn_like_the_game(server: Server, rule_set: str) -> None:
    white, _, game = friends(server, rule_set)
    view = white.see(game)["view"]
    text = white.http.get(f"games/{game}/position").text
    shown = server.person().get("position", text=text)
    assert {name: shown[name] for name in ("position", "scenery", "legal_actions")} == {
        name: view[name] for name in ("position", "scenery", "legal_actions")
    }


def test_the_rules_decide(server: Server) -> None:
    white, black, game = friends(server)
    view = white.see(game)["view"]
    mover, other = (white, black) if to_move(view) == "white" else (black, white)
    with pytest.raises(Refused) as error:
        mover.do(game, "play", action="a1-a2", ply=0)
    assert error.value.status in (400, 422)
    with pytest.raises(Refused) as error:
        other.do(game, "play", action=view["legal_actions"][0], ply=0)
    assert "turn" in str(error.value)
    assert white.see(game)["view"]["ply"] == 0


def test_a_turn_is_seen_by_others_when_it_is_whole(server: Server) -> None:
    """A Rabble that moves may be followed by another: until then only its player knows."""
    white, black, game = friends(server, "nine-tile")
    view = white.see(game)["view"]
    mover, other = (white, black) if to_move(view) == "white" else (black, white)
    number, ply = white.see(game)["number"], view["ply"]
    ahead = cyvasse.notation.parse_position(white.http.get(f"games/{game}/position").text)
    first = next(str(a) for a in ahead.legal_actions() if _goes_on(ahead, a))
    with mover.socket() as at_table, other.socket() as opposite:
        at_table.watch(game)
        opposite.watch(game)
        answer = at_table.do(game, "play_turn", actions=[first], ply=ply)
        assert (answer["type"], answer["whole"]) == ("preview", False)
        board = answer["board"]
        assert board["in_turn"]
        second = next(action for action in board["legal_actions"] if action != "end")
        assert other.see(game)["number"] == number
        origin, target = second.split("-")
        (reason, *_) = mover.get(f"games/{game}/why", origin=origin, target=target, held=[first])
        assert reason["legal"]
        shown = mover.get(f"games/{game}/layers", held=[first])
        kinds = mover.get("rules/nine-tile")["layers"]
        assert [layer["name"] for layer in shown] == [kind["name"] for kind in kinds]
        with pytest.raises(Refused) as error:
            mover.get(f"games/{game}/layers", held=[first, first])
        assert error.value.status == 422
        done = at_table.do(game, "play_turn", actions=[first, second], ply=ply)
        assert done["number"] == number + 2
        told = opposite.hear_number(number + 2)
        assert [event["event"]["action"] for event in told["events"]] == [first, second]


def _goes_on(position: cyvasse.Position, action: cyvasse.Action) -> bool:
    position = position.copy()
    position.play(action)
    return position.in_turn


def test_setups_name_every_problem(server: Server) -> None:
    white, _, game = friends(server, ready=False)
    rules = cyvasse.rule_set("nine-tile")
    setup = setup_of(rules, "white")
    setup["pieces"] = setup["pieces"][3:]
    with pytest.raises(Refused) as error:
        white.do(game, "submit", setup=setup)
    assert error.value.status == 422
    expected = cyvasse.notation.documents.read_setup(rules, setup)
    assert [each["text"] for each in error.value.problem["problems"]] == [
        problem.text for problem in rules.check_setup(expected)
    ]


def test_resign_draw_and_rematch(server: Server) -> None:
    white, black, game = friends(server)
    white.do(game, "offer_draw")
    assert black.see(game)["standing"]["offered"] == "white"
    black.do(game, "decline_draw")
    with pytest.raises(Refused):
        white.do(game, "offer_draw")
    black.do(game, "resign")
    standing = white.see(game)["standing"]
    assert (standing["outcome"]["result"], standing["outcome"]["end"]) == ("1-0", "resignation")
    assert standing["outcome"]["said"]["black"] == "White won: you resigned."
    with pytest.raises(Refused):
        white.do(game, "resign")
    white.do(game, "rematch")
    black.do(game, "rematch")
    again = white.see(game)["standing"]["rematch"]
    assert white.see(again)["you"] == ["black"]
    assert black.see(again)["you"] == ["white"]


def take_back(white: Person, black: Person, game: str) -> None:
    first = white if to_move(white.see(game)["view"]) == "white" else black
    second = black if first is white else white
    first.play(game)
    first.do(game, "ask_take_back")
    second.do(game, "allow_take_back")


def test_take_back(server: Server) -> None:
    white, black, game = friends(server, "croft")
    take_back(white, black, game)
    assert white.see(game)["view"]["ply"] == 0


def test_one_screen(server: Server) -> None:
    me = server.person()
    game = me.create("gameofcyvasse", {"kind": "same_screen"})["game"]
    with pytest.raises(Refused) as error:
        me.submit(game, "white")
    assert "seat" in str(error.value)
    me.submit(game, "white", seat="white")
    assert me.see(game)["view"]["setups"] == {}
    for forbidden in ("withdraw", "submit"):
        with pytest.raises(Refused):
            me.do(game, forbidden, seat="white", **({"setup": {}} if forbidden == "submit" else {}))
    with pytest.raises(Refused):
        me.get(f"games/{game}/drafts/white")
    me.submit(game, "black", seat="black")
    for _ in range(6):
        me.play(game)
    me.do(game, "ask_take_back", seat="white")
    me.do(game, "resign", seat="black")
    assert me.see(game)["standing"]["outcome"]["result"] == "1-0"


def test_requests_are_counted_by_method_and_route(server: Server) -> None:
    server.person().get("lobby")
    httpx.request("PROPFIND", f"{server.url}/api/lobby", verify=False)  # which nothing here answers
    counted = get(f"{server.url}/metrics").text
    assert 'method="GET",route="/api/lobby",status="200"' in counted
    assert 'method="other"' in counted
    assert "PROPFIND" not in counted
