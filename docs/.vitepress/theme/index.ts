/** VitePress' own theme with the system's fonts: nothing to download before the first word is read. */
import type { Theme } from "vitepress";
import DefaultTheme from "vitepress/theme-without-fonts";
import { OldAnchors, TryIt } from "./reference.ts";
// After the theme's own, which they change.
import "./style.css";
import "./reference.css";

export default {
  extends: DefaultTheme,
  enhanceApp: ({ app }) => void app.component("TryIt", TryIt).component("OldAnchors", OldAnchors),
} satisfies Theme;
