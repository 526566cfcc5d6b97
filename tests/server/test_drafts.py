"""Setups on their way: what is kept, what is refused, and what is left of them."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from sqlalchemy import insert, select

import cyvasse
from cyvasse.notation import write_setup
from cyvasse.rules.tools import tool_document
from cyvasse.server.database import Database, tables
from cyvasse.server.people import People
from tests.server.harness import Refused, Server, setup_of


def test_who_leaves_leaves_no_draft(tmp_path: Path) -> None:
    """Nobody could see it any more, so it is not kept either."""

    async def leave() -> list[str]:
        database = Database(f"sqlite:///{tmp_path}/cyvasse.sqlite")
        try:
            await database.upgrade()
            people = People(database, b"secret")
            me = people.new_guest()
            await people.keep(me)
            game: dict[str, object] = {"rule_set": "croft", "agreement": "{}", "tags": "{}"}
            game |= {"number": 0, "status": "setup", "created_at": 0, "updated_at": 0}
            async with database.write() as connection:
                for seat in ("white", "black"):
                    row = game | {"id": seat, f"{seat}_id": me.id, "created_by": me.id}
                    await connection.execute(insert(tables.games).values(row))
                    for each in ("white", "black"):
                        draft = {"game_id": seat, "seat": each, "setup": "", "updated_at": 0}
                        await connection.execute(insert(tables.drafts).values(draft))
            await people.forget(me)
            async with database.read() as connection:
                c = tables.drafts.c
                query = select(c.game_id + " " + c.seat).order_by(c.game_id)
                return list((await connection.execute(query)).scalars())
        finally:
            await database.close()

    assert asyncio.run(leave()) == ["black white", "white black"]


@pytest.mark.parametrize("path", ["games/{game}/drafts/white", "me/setups/nine-tile/mine"])
def test_a_draft_out_of_bounds_is_refused(server: Server, path: str) -> None:
    me = server.person()
    game = me.create()["game"]
    rules = cyvasse.rule_set("nine-tile")
    setup = setup_of(rules, "white")
    far = setup_of(rules, "black")["pieces"][0]["at"]
    setup["pieces"][0]["at"] = far
    with pytest.raises(Refused) as refusal:
        me.put(path.format(game=game), {"setup": setup})
    assert refusal.value.status == 422
    assert far in str(refusal.value)


@pytest.mark.parametrize("rules", cyvasse.rule_sets(), ids=lambda rules: rules.id)
def test_a_setup_is_shown_while_it_is_arranged(server: Server, rules: cyvasse.RuleSet) -> None:
    me = server.person()
    page = me.get(f"rules/{rules.id}")
    assert page["tools"]["black"] == json.loads(
        json.dumps([tool_document(tool) for tool in rules.setups.tools_for(cyvasse.BLACK)])
    )
    setup = setup_of(rules, "black", 3)
    seen = me.post(f"rules/{rules.id}/check", {"setup": setup, "color": "black"})
    assert seen["problems"] == []
    assert seen["setup"] == setup
    assert set(seen["scenery"]["grounds"]) == set(rules.board.squares)
    by_text = me.post(f"rules/{rules.id}/check", {"setup": seen["text"], "color": "black"})
    assert by_text == seen
    turned = me.post(f"rules/{rules.id}/turned", {"setup": seen["text"], "color": "black"})
    assert turned["color"] == "white"
    empty = me.post(f"rules/{rules.id}/check", {"setup": {"pieces": []}})
    assert empty["problems"]
    assert empty["scenery"]["features"] is not None


def test_where_a_piece_may_stand(server: Server) -> None:
    me = server.person()
    rules = cyvasse.rule_set("nine-tile")
    setup = setup_of(rules, "black", 3)
    (king,) = (piece["at"] for piece in setup["pieces"] if piece["type"] == "king")
    asked = {"setup": {**setup, "pieces": []}, "color": "black"}
    assert me.post("rules/nine-tile/places", {**asked, "thing": "king"}) == [king]
    for thing in ("queen", "tiles"):
        with pytest.raises(Refused, match=f"no piece '{thing}'") as refusal:
            me.post("rules/nine-tile/places", {**asked, "thing": thing})
        assert refusal.value.status == 422


def test_good_setups_as_pictures(server: Server) -> None:
    me = server.person()
    pictures = {
        me.http.get(f"rules/croft/setups/{name}/{seat}/board.svg?theme=dark").text
        for name in me.get("rules/croft")["characters"]
        for seat in ("white", "black")
    }
    assert len(pictures) == 2 * len(cyvasse.rule_set("croft").named_setups())
    assert all(picture.startswith("<svg") for picture in pictures)
    for wrong in ("croft/setups/casterly/white", "croft/setups/pyke/grey", "none/setups/x/white"):
        assert me.http.get(f"rules/{wrong}/board.svg").status_code in (400, 404)


def test_easy_rule_sets_come_first(server: Server) -> None:
    levels = [line["difficulty"] for line in server.person().get("rules")]
    assert levels == sorted(levels)


def test_a_text_that_is_no_setup_is_refused(server: Server) -> None:
    me = server.person()
    other = cyvasse.rule_set("croft").random_setup("white", 1)
    for text, words in (("e4", "five parts"), (write_setup(other), "for croft")):
        with pytest.raises(Refused, match=words) as refusal:
            me.post("rules/nine-tile/check", {"setup": text})
        assert refusal.value.status == 422
