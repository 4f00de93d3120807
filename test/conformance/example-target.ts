/** What conformance finds out about the example server at first. */
import { quietAddress, type Target } from "../../scripts/command/conformance/probe.ts";

export const exampleTarget: Target = {
  apiKey: "both",
  chainId: "43114",
  traces: true,
  followedBlock: undefined,
  address: quietAddress,
  activeAddress: undefined,
  url: "https://receiver.example.com/notifications",
};
