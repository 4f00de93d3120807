/** VitePress' own theme with the system's fonts: nothing to download before the first word is read. */
import type { Theme } from "vitepress";
import DefaultTheme, { VPButton } from "vitepress/theme-without-fonts";
import { OldAnchors, TryIt } from "./reference.ts";
// After the theme's own, which they change.
import "./style.css";
import "./reference.css";
import LivePicture from "./home/LivePicture.vue";
import "./home/home.css";

const ours: Theme = {
  extends: DefaultTheme,
  enhanceApp: ({ app }) =>
    void app
      .component("TryIt", TryIt)
      .component("OldAnchors", OldAnchors)
      .component("LivePicture", LivePicture)
      .component("VPButton", VPButton),
};
export default ours;
