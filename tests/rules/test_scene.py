"""What single rule sets show; what all of them promise is tested by ``cyvasse.testing``."""

from __future__ import annotations

import cyvasse
from cyvasse import BLACK, WHITE, Color, Setup
from cyvasse.rules.scene import SceneFeature, Seen, Store


def of_kind(seen: Seen, kind: str) -> list[SceneFeature]:
    return [feature for feature in seen.features if feature.kind == kind]


def test_nine_tile_setups_show_their_tiles() -> None:
    rules = cyvasse.rule_set("nine-tile")
    for color in Color:
        seen = rules.scene.of_setup(rules.named_setups(color)["sunspear"])
        tiles = of_kind(seen, "tile")
        laid = [square for tile in tiles for square in tile.squares]
        assert len(tiles) == 9
        assert sorted(laid) == sorted(rules.home(color))
        (circle,) = of_kind(seen, "circle")
        assert seen.pieces[circle.squares[0]].type == "king"
    assert rules.scene.of_setup(Setup("nine-tile", WHITE, {})).features == ()


def test_mikelepage_shows_ruins_centres_and_losses() -> None:
    position = cyvasse.parse_position(
        "mikelepage 6/k6/8/9/10/11/10/9/8/6K/6 6/7/8/9/10/11/10/9/8/7/6 w "
        "fortress=white:(at:k2),black:(at:a10,ruined:yes,corner:a6);lost=black:(elephant:1) 0"
    )
    seen = position.scene()
    assert of_kind(seen, "fortress") == [SceneFeature("fortress", ("k2",), WHITE)]
    assert of_kind(seen, "ruin") == [SceneFeature("ruin", ("a10",), BLACK)]
    assert of_kind(seen, "centre") == [SceneFeature("centre", ("a6",), BLACK)]
    assert seen.grounds["a10"] == "open"
    assert position.terrain_at("a10") == "ruin"
    assert "k%" in str(position)
    assert seen.stores == (Store("lost", BLACK, {"elephant": 1}),)


def test_gameofcyvasse_shows_who_waits_and_where_a_trebuchet_points() -> None:
    position = cyvasse.parse_position(
        "gameofcyvasse 7k/8/8/3T4/8/8/2R5/K7 c7/8/8/8/8/8/2w5/c7 b "
        "ruined=a8;waiting=c2;facing=d5:NE 0"
    )
    seen = position.scene()
    assert of_kind(seen, "ruin") == [SceneFeature("ruin", ("a8",), BLACK)]
    assert seen.grounds["a8"] == "grass"
    assert of_kind(seen, "fortress") == [SceneFeature("fortress", ("a1",), WHITE)]
    assert of_kind(seen, "facing") == [SceneFeature("facing", ("d5",), WHITE, "NE")]
    assert of_kind(seen, "waiting") == [SceneFeature("waiting", ("c2",))]


def test_a_croft_setup_without_a_keep_has_none() -> None:
    rules = cyvasse.rule_set("croft")
    seen = rules.scene.of_setup(Setup("croft", WHITE, {}, fields={"mountains": ["a1"]}))
    assert seen.features == (SceneFeature("mountain", ("a1",)),)
    (store,) = seen.stores
    assert store.color is WHITE
    assert sum(store.pieces.values()) == 20
