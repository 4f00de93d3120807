/** Makes things happen on a private chain: deploys OpenZeppelin's ready-made contracts and sends transactions. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import {
  type Abi,
  type Address,
  createPublicClient,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  type Hex,
  http,
  type TransactionReceipt,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";

/** The hash of `Transfer(address,address,uint256)`, which ERC-20 and ERC-721 share. */
export const transferSignature = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** A contract of `@openzeppelin/contracts` that was deployed. */
export type DeployedContract = { address: Address; abi: Abi; receipt: TransactionReceipt };

/** An account with funds on a private chain. Every method waits for the receipt. */
export type Wallet = {
  readonly address: Address;
  /** @param name of a compiled contract, such as `ERC721PresetMinterPauserAutoId` */
  deploy(name: string, args: readonly unknown[]): Promise<DeployedContract>;
  /** Calls a function of a contract. `gas` given, a call that fails is sent all the same. */
  call(
    contract: DeployedContract,
    functionName: string,
    args: readonly unknown[],
    options?: { value?: bigint; gas?: bigint },
  ): Promise<TransactionReceipt>;
  send(to: Address, value: bigint, data?: Hex): Promise<TransactionReceipt>;
  /** Deploys code that no compiler made. @returns its address */
  deployCode(code: Hex): Promise<Address>;
};

type Artifact = { abi: Abi; bytecode: Hex };

/** The package for operators has the one that its demo deploys. */
function artifactOf(name: string): Artifact {
  const own = new URL(`contracts/${name}.json`, import.meta.url);
  const from = existsSync(own) ? fileURLToPath(own) : `@openzeppelin/contracts/build/contracts/${name}.json`;
  return createRequire(import.meta.url)(from) as Artifact;
}

/**
 * @param rpcUrl of a node that has anvil's well-known accounts
 * @param index which of them, from 0
 */
export async function openWallet(rpcUrl: string, index = 0): Promise<Wallet> {
  const transport = http(rpcUrl, { retryCount: 0 });
  const client = createPublicClient({ transport, pollingInterval: 20, cacheTime: 0 });
  const id = await client.getChainId();
  const chain = defineChain({
    id,
    name: "private",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const account = mnemonicToAccount("test test test test test test test test test test test junk", {
    addressIndex: index,
  });
  const sender = createWalletClient({ account, chain, transport });
  const confirm = async (hash: Hex) => client.waitForTransactionReceipt({ hash, pollingInterval: 20 });
  return {
    address: account.address,
    async deploy(name, args) {
      const { abi, bytecode } = artifactOf(name);
      const receipt = await confirm(await sender.sendTransaction({ data: encodeDeployData({ abi, bytecode, args }) }));
      if (!receipt.contractAddress) throw new Error(`${name} was not deployed`);
      return { address: receipt.contractAddress, abi, receipt };
    },
    async call({ address, abi }, functionName, args, options = {}) {
      const data = encodeFunctionData({ abi, functionName, args });
      return confirm(await sender.sendTransaction({ to: address, data, ...options }));
    },
    async send(to, value, data) {
      return confirm(await sender.sendTransaction({ to, value, ...(data && { data }) }));
    },
    async deployCode(code) {
      const { contractAddress } = await confirm(await sender.sendTransaction({ data: code }));
      if (!contractAddress) throw new Error("the code was not deployed");
      return contractAddress;
    },
  };
}
