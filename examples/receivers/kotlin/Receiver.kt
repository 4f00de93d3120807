// Receives notifications with the HTTP server that the JDK has.
//
//   mvn compile dependency:copy-dependencies -DoutputDirectory=jars
//   WEBHOOK_SECRET=whsec_… java -cp 'target/classes:jars/*' ReceiverKt

import com.standardwebhooks.Webhook
import com.standardwebhooks.exceptions.WebhookVerificationException
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.util.concurrent.ConcurrentHashMap
import java.util.concurrent.Executors

const val MOST_BYTES = 32 * 1024 * 1024
val webhook = Webhook(System.getenv("WEBHOOK_SECRET"))
val handled: MutableSet<String> = ConcurrentHashMap.newKeySet() // A real program keeps it in its database, as a unique key.

fun receive(exchange: HttpExchange): Int {
    if (exchange.requestMethod != "POST") return 405
    val headers = exchange.requestHeaders
    // The signature covers the bytes as they arrived.
    val body = exchange.requestBody.readNBytes(MOST_BYTES + 1)
    if (body.size > MOST_BYTES) return 413
    try {
        webhook.verify(body.decodeToString(), headers)
    } catch (refused: WebhookVerificationException) {
        return 400
    }
    val messageId = headers.getFirst("webhook-id") // The same as in the body.
    if (messageId !in handled) { // Delivery is at least once.
        println("${headers.getFirst("webhook-sequence")} $messageId")
        handled += messageId // After the work: if it throws, the service retries.
    }
    return 204
}

fun main() {
    val port = System.getenv("PORT")?.toInt() ?: 4000
    val server = HttpServer.create(InetSocketAddress("127.0.0.1", port), 0)
    server.executor = Executors.newFixedThreadPool(8)
    server.createContext("/hooks") { exchange -> exchange.use { it.sendResponseHeaders(receive(it), -1) } }
    server.start()
    println("Listening at http://127.0.0.1:$port/hooks")
}
