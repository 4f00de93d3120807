/** The client's types are the contract's; `tsc` checks this file, running it proves nothing more. */
import { expectTypeOf, test } from "vitest";
import type {
  ApiError,
  OperationCall,
  OperationName,
  OperationResult,
  PagedOperation,
  WebhooksClient,
  WebhooksError,
} from "../../client/index.ts";
import type { operationTable } from "../../generated/operations.ts";
import type { components } from "../../generated/types.ts";

type Schemas = components["schemas"];

test("there is a method for every operation of the contract", () => {
  expectTypeOf<OperationName>().toEqualTypeOf<keyof typeof operationTable>();
  expectTypeOf<
    Exclude<keyof WebhooksClient, "pages" | "followFeed" | "syncAddresses">
  >().toEqualTypeOf<OperationName>();
});

test("results are the schemas of the 2xx answers", () => {
  expectTypeOf<OperationResult<"createWebhook">>().toEqualTypeOf<Schemas["Webhook"]>();
  expectTypeOf<OperationResult<"deleteWebhook">>().toEqualTypeOf<Schemas["Webhook"]>();
  expectTypeOf<OperationResult<"listChains">>().toEqualTypeOf<Schemas["ChainList"]>();
  expectTypeOf<OperationResult<"addWebhookAddresses">>().toEqualTypeOf<Schemas["AddressChange"]>();
  expectTypeOf<WebhooksClient["getWebhookSecret"]>().returns.resolves.toEqualTypeOf<Schemas["WebhookSecret"]>();
});

test("every operation has a result", () => {
  type WithoutResult = {
    [Name in OperationName]: [OperationResult<Name>] extends [never] ? Name : never;
  }[OperationName];
  expectTypeOf<WithoutResult>().toBeNever();
});

test("calls have exactly the parts that the operation has", () => {
  expectTypeOf<keyof OperationCall<"createWebhook">>().toEqualTypeOf<"body" | "headers" | "signal">();
  expectTypeOf<keyof OperationCall<"listWebhookAddresses">>().toEqualTypeOf<"path" | "query" | "signal">();
  expectTypeOf<keyof OperationCall<"listChains">>().toEqualTypeOf<"signal">();
  expectTypeOf<OperationCall<"createWebhook">["body"]>().toEqualTypeOf<Schemas["WebhookCreate"]>();
  expectTypeOf<OperationCall<"updateWebhook">["path"]>().toEqualTypeOf<{ id: string }>();
});

test("what the contract requires is required, and only that", () => {
  expectTypeOf<Parameters<WebhooksClient["listWebhooks"]>>().toEqualTypeOf<[call?: OperationCall<"listWebhooks">]>();
  expectTypeOf<Parameters<WebhooksClient["getWebhook"]>>().toEqualTypeOf<[call: OperationCall<"getWebhook">]>();
  const body: Schemas["WebhookCreate"] = {} as Schemas["WebhookCreate"];
  expectTypeOf<{ body: typeof body }>().toExtend<OperationCall<"createWebhook">>();
  expectTypeOf<{ headers: { "Idempotency-Key": "a" } }>().not.toExtend<OperationCall<"createWebhook">>();
});

test("mistakes do not compile", () => {
  const check = (client: WebhooksClient) => {
    // @ts-expect-error the path is required
    client.getWebhook();
    // @ts-expect-error the status is one of two
    client.listWebhooks({ query: { status: "paused" } });
    // @ts-expect-error the operation takes no body
    client.rotateWebhookSecret({ path: { id: "a" }, body: {} });
    // @ts-expect-error the notification is sent by the service, not by the client
    client.addressActivity();
    // @ts-expect-error not answered in pages
    client.pages("listChains");
    // @ts-expect-error the path is required here too
    client.pages("listWebhookAddresses");
  };
  expectTypeOf(check).toBeFunction();
});

test("the operations in pages are those with a pageToken", () => {
  expectTypeOf<"listWebhooks" | "listWebhookAddresses" | "listNotifications">().toExtend<PagedOperation>();
  expectTypeOf<"getWebhook" | "listChains" | "createWebhook">().not.toExtend<PagedOperation>();
  const pages = (client: WebhooksClient) => client.pages("listWebhooks");
  expectTypeOf(pages).returns.toExtend<AsyncIterable<Schemas["WebhookPage"]>>();
});

test("an error holds the contract's error", () => {
  expectTypeOf<ApiError>().toEqualTypeOf<Schemas["ApiError"]>();
  expectTypeOf<WebhooksError["body"]>().toEqualTypeOf<Schemas["ApiError"] | undefined>();
});
