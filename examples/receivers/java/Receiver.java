// Receives notifications with Java's own HTTP server. It takes Java 17 or later.
//
//   mvn dependency:copy-dependencies -DoutputDirectory=jars
//   WEBHOOK_SECRET=whsec_… java -cp 'jars/*' Receiver.java

import static java.nio.charset.StandardCharsets.UTF_8;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;

public class Receiver {
  static final int MOST_BYTES = 32 * 1024 * 1024;
  /** A real program keeps it in its database, as a unique key. */
  static final Set<String> handled = ConcurrentHashMap.newKeySet();

  static int receive(Webhook webhook, HttpExchange exchange) throws IOException {
    if (!exchange.getRequestMethod().equals("POST")) return 405;
    var headers = exchange.getRequestHeaders();
    // The signature covers the bytes as they arrived.
    var body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) return 413;
    try {
      webhook.verify(new String(body, UTF_8), headers);
    } catch (WebhookVerificationException refused) {
      return 400;
    }
    var messageId = headers.getFirst("webhook-id"); // The same as in the body.
    if (!handled.contains(messageId)) { // Delivery is at least once.
      System.out.println(headers.getFirst("webhook-sequence") + " " + messageId);
      handled.add(messageId); // After the work: if it throws, the service retries.
    }
    return 204;
  }

  public static void main(String[] arguments) throws Exception {
    var webhook = new Webhook(System.getenv("WEBHOOK_SECRET"));
    var port = Integer.parseInt(System.getenv().getOrDefault("PORT", "4000"));
    var server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
    server.setExecutor(Executors.newFixedThreadPool(8));
    server.createContext("/hooks", exchange -> {
      try (exchange) {
        exchange.sendResponseHeaders(receive(webhook, exchange), -1);
      }
    });
    server.start();
    System.out.println("Listening at http://127.0.0.1:" + port + "/hooks");
  }
}
