/** NestJS, in a controller: for guards and what else surrounds it. The body was parsed, and Nest keeps the bytes. */
import "reflect-metadata";
import { Controller, Module, Post, Req, Res } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { createExpressReceiver, type IncomingRequest, type OutgoingResponse } from "chain-webhooks/receiver";
import { options } from "./options.ts";

const receive = createExpressReceiver(options);

@Controller("hooks")
class HooksController {
  @Post()
  receive(@Req() request: IncomingRequest, @Res() response: OutgoingResponse) {
    return receive(request, response);
  }
}

@Module({ controllers: [HooksController] })
class AppModule {}

const app = await NestFactory.create<NestExpressApplication>(AppModule, { rawBody: true, logger: ["error"] });
app.useBodyParser("json", { limit: "32mb" });
await app.listen(Number(process.env.PORT), "127.0.0.1");
