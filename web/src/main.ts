import { mount } from "svelte";
import App from "./App.svelte";
import { keep } from "./lib/settings.svelte";
import "./styles/base.css";

keep(); // the theme, before anything is drawn
const page = document.getElementById("page");
if (page) {
  page.replaceChildren(); // what stood there for those to whom no page comes
  mount(App, { target: page });
}
