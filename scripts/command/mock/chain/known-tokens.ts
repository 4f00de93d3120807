/** What the contracts of some well-known tokens of Ethereum say of themselves. The mock has no node that it could ask. */
import type { TokenBook } from "../../../../server/matching/transfers.ts";

export const knownTokens: TokenBook = new Map([
  ["0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2", { name: "Wrapped Ether", symbol: "WETH", decimals: 18 }],
  ["0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", { name: "USD Coin", symbol: "USDC", decimals: 6 }],
  ["0xdac17f958d2ee523a2206206994597c13d831ec7", { name: "Tether USD", symbol: "USDT", decimals: 6 }],
  ["0x6b175474e89094c44da98b954eedeac495271d0f", { name: "Dai Stablecoin", symbol: "DAI", decimals: 18 }],
  ["0x514910771af9ca656af840dff83e8264ecf986ca", { name: "ChainLink Token", symbol: "LINK", decimals: 18 }],
]);
