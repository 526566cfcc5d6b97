import { afterEach, describe, expect, it, vi } from "vitest";
import { keepsFocus, takesFocus } from "../src/lib/focus";

/** A page of its own; what the observer does comes a moment later. */
function page(html: string) {
  document.body.innerHTML = html;
  const get = (id: string) => document.getElementById(id)!;
  const settled = () => new Promise((later) => setTimeout(later));
  return { get, settled, focused: () => document.activeElement!.id };
}

afterEach(() => (document.body.innerHTML = ""));

describe("keeping the focus", () => {
  const html = `<main id="main"><div id="pair"><button id="one"></button><button id="two"></button></div>
    <div><button id="alone"></button></div></main><button id="outside"></button>`;

  function keep() {
    const home = vi.fn();
    const shown = page(html);
    keepsFocus(home)(shown.get("main"));
    return { ...shown, home };
  }

  it("gives it to what stands beside a button that is gone", async () => {
    const { get, settled, focused, home } = keep();
    get("one").focus();
    get("one").remove();
    await settled();
    expect(focused()).toBe("two");
    expect(home).not.toHaveBeenCalled();
  });

  it("gives it home where nothing stands beside it", async () => {
    const { get, settled, home } = keep();
    get("alone").focus();
    get("alone").remove();
    await settled();
    expect(home).toHaveBeenCalledOnce();
  });

  it("does so too for a button that cannot be used any more, and for a whole group", async () => {
    const { get, settled, focused, home } = keep();
    get("two").focus();
    get("two").setAttribute("disabled", "");
    await settled();
    expect(focused()).toBe("one");
    get("pair").remove();
    await settled();
    expect(home).toHaveBeenCalledOnce();
  });

  it("leaves it alone where it is of use, or elsewhere", async () => {
    const { get, settled, focused, home } = keep();
    get("one").focus();
    get("two").remove();
    await settled();
    expect(focused()).toBe("one");
    get("outside").focus();
    get("one").remove();
    await settled();
    expect(focused()).toBe("outside");
    get("outside").blur();
    get("alone").remove();
    await settled();
    expect(home).not.toHaveBeenCalled();
  });
});

describe("a question", () => {
  const html = `<button id="before"></button>
    <section id="question"><p></p><button disabled></button><button id="yes"></button></section>`;

  it("takes the focus and gives it back", () => {
    const { get, focused } = page(html);
    get("before").focus();
    const end = takesFocus(get("question")) as () => void;
    expect(focused()).toBe("yes");
    get("question").remove();
    end();
    expect(focused()).toBe("before");
  });

  it("takes nothing back that was given away meanwhile", () => {
    const { get, focused } = page(`${html}<input id="elsewhere" />`);
    get("before").focus();
    const end = takesFocus(get("question")) as () => void;
    get("elsewhere").focus();
    get("question").remove();
    end();
    expect(focused()).toBe("elsewhere");
  });

  it("can be a button alone", () => {
    const { get, focused } = page(html);
    takesFocus(get("yes"));
    expect(focused()).toBe("yes");
  });
});
