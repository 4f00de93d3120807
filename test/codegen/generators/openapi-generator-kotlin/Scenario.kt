/** The scenario with the Kotlin client of openapi-generator. */
import java.io.File
import java.net.URI
import org.openapitools.client.apis.WebhooksApi
import org.openapitools.client.infrastructure.ApiClient
import org.openapitools.client.infrastructure.ClientError
import org.openapitools.client.infrastructure.ClientException
import org.openapitools.client.infrastructure.Serializer
import org.openapitools.client.models.AddressActivityHeaders
import org.openapitools.client.models.AddressActivityNotification
import org.openapitools.client.models.ApiError
import org.openapitools.client.models.ConditionInput
import org.openapitools.client.models.EventType
import org.openapitools.client.models.WebhookCreate
import org.openapitools.client.models.WebhookMetadataInput
import org.openapitools.client.models.WebhookStatus
import org.openapitools.client.models.WebhookUpdate

fun body(name: String, chainId: String = "43112") =
    WebhookCreate(
        url = URI("https://example.com/hooks"),
        chainId = chainId,
        eventType = EventType.address_activity,
        metadata =
            WebhookMetadataInput(
                addresses = listOf("0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"),
                conditions =
                    ConditionInput(
                        `field` = "transaction.value",
                        op = ConditionInput.Op.`in`,
                        `value` = listOf("1", "2"),
                    ),
            ),
        includeLogs = true,
        name = name,
        finality = "finalized",
    )

fun refused(call: () -> Any): ApiError {
    try {
        call()
    } catch (failure: ClientException) {
        val text = (failure.response as ClientError<*>).body as String
        return checkNotNull(Serializer.moshi.adapter(ApiError::class.java).fromJson(text))
    }
    error("It was not refused.")
}

fun main() {
    ApiClient.apiKey["x-service-api-key"] = System.getenv("API_KEY")
    val api = WebhooksApi(System.getenv("BASE_URL"))

    val created = listOf("one", "two", "three", "four", "five").map { api.createWebhook(body(it)).id }
    val first = created.first()
    val read = api.getWebhook(first)
    val updated = api.updateWebhook(first, WebhookUpdate(name = "renamed", status = WebhookStatus.inactive))

    val pages = mutableListOf<List<String>>()
    var pageToken: String? = null
    do {
        val page = api.listWebhooks(pageSize = 2, pageToken = pageToken)
        pages += page.webhooks.map { it.id }
        pageToken = page.nextPageToken
    } while (!pageToken.isNullOrEmpty())

    val badRequest = refused { api.createWebhook(body("nowhere", "999999")) }
    val deleted = api.deleteWebhook(first)
    val gone = refused { api.getWebhook(first) }

    val file = Serializer.moshi.adapter(Any::class.java).fromJson(File(System.getenv("NOTIFICATION")).readText())
    val notifications = Serializer.moshi.adapter(AddressActivityNotification::class.java)
    val event = checkNotNull(notifications.fromJsonValue((file as Map<*, *>)["value"])).event
    val log = checkNotNull(event.logs).first()
    val received = Serializer.moshi.adapter(AddressActivityHeaders::class.java)
    val headers = checkNotNull(received.fromJson(File(System.getenv("HEADERS")).readText()))
    val report =
        mapOf(
            "created" to created,
            "read" to
                mapOf(
                    "id" to read.id,
                    "name" to read.name,
                    "createdAt" to read.createdAt,
                    "address" to read.metadata.addresses.first(),
                    "conditions" to read.metadata.conditions,
                    "finality" to read.finality,
                ),
            "updated" to mapOf("id" to updated.id, "name" to updated.name, "status" to updated.status.value),
            "pages" to pages,
            "badRequest" to badRequest,
            "deleted" to mapOf("id" to deleted.id, "status" to deleted.status.value),
            "gone" to gone,
            "notification" to
                mapOf(
                    "txHash" to event.transaction.txHash,
                    "blockTimestamp" to event.transaction.blockTimestamp,
                    "topics" to listOf(log.topic0, log.topic3),
                ),
            "headers" to mapOf("id" to headers.webhookId, "sequence" to headers.webhookSequence),
        )
    println(Serializer.moshi.adapter(Any::class.java).toJson(report))
}
