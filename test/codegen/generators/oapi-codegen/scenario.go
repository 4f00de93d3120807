// The scenario with the client of oapi-codegen.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"os"

	"scenario/client"
)

func value[T any](pointer *T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	if pointer == nil {
		log.Fatal("the answer is another one")
	}
	return *pointer
}

func body(name string, chainID string) client.WebhookCreate {
	url, logs, field, op := "https://example.com/hooks", true, "transaction.value", client.ConditionInputOpIn
	addresses := []string{"0x57f1887a8BF19b14fC0dF6Fd9B2acc9Af147eA85"}
	conditions := client.ConditionInput{Field: &field, Op: &op}
	conditions.Value = []string{"1", "2"}
	return client.WebhookCreate{
		Url:         &url,
		ChainId:     chainID,
		EventType:   client.AddressActivity,
		Metadata:    client.WebhookMetadataInput{Addresses: &addresses, Conditions: &conditions},
		IncludeLogs: &logs,
		Name:        &name,
		Finality:    "finalized",
	}
}

func main() {
	ctx := context.Background()
	withKey := func(_ context.Context, request *http.Request) error {
		request.Header.Set("x-service-api-key", os.Getenv("API_KEY"))
		return nil
	}
	api, err := client.NewClientWithResponses(os.Getenv("BASE_URL"), client.WithRequestEditorFn(withKey))
	if err != nil {
		log.Fatal(err)
	}

	var created []string
	for _, name := range []string{"one", "two", "three", "four", "five"} {
		answer, err := api.CreateWebhookWithResponse(ctx, nil, body(name, "43112"))
		created = append(created, value(answer.JSON201, err).Id)
	}
	first := created[0]
	got, err := api.GetWebhookWithResponse(ctx, first)
	read := value(got.JSON200, err)
	name, status := "renamed", client.Inactive
	changed, err := api.UpdateWebhookWithResponse(ctx, first, client.WebhookUpdate{Name: &name, Status: &status})
	updated := value(changed.JSON200, err)

	var pages [][]string
	size := 2
	for params := (client.ListWebhooksParams{PageSize: &size}); ; {
		listed, err := api.ListWebhooksWithResponse(ctx, &params)
		page := value(listed.JSON200, err)
		var ids []string
		for _, webhook := range page.Webhooks {
			ids = append(ids, webhook.Id)
		}
		pages = append(pages, ids)
		if params.PageToken = page.NextPageToken; params.PageToken == nil || *params.PageToken == "" {
			break
		}
	}

	refused, err := api.CreateWebhookWithResponse(ctx, nil, body("nowhere", "999999"))
	badRequest := value(refused.JSON400, err)
	removed, err := api.DeleteWebhookWithResponse(ctx, first)
	deleted := value(removed.JSON200, err)
	missing, err := api.GetWebhookWithResponse(ctx, first)
	gone := value(missing.JSON404, err)

	file, err := os.ReadFile(os.Getenv("NOTIFICATION"))
	if err != nil {
		log.Fatal(err)
	}
	var example struct{ Value client.AddressActivityNotification }
	if err := json.Unmarshal(file, &example); err != nil {
		log.Fatal(err)
	}
	event := example.Value.Event
	entry := (*event.Logs)[0]

	received, err := os.ReadFile(os.Getenv("HEADERS"))
	if err != nil {
		log.Fatal(err)
	}
	var headers client.AddressActivityParams
	if err := json.Unmarshal(received, &headers); err != nil {
		log.Fatal(err)
	}

	report, err := json.Marshal(map[string]any{
		"created": created,
		"read": map[string]any{
			"id": read.Id, "name": read.Name, "createdAt": read.CreatedAt, "address": read.Metadata.Addresses[0],
			"conditions": read.Metadata.Conditions, "finality": read.Finality,
		},
		"updated":    map[string]any{"id": updated.Id, "name": updated.Name, "status": updated.Status},
		"pages":      pages,
		"badRequest": badRequest,
		"deleted":    map[string]any{"id": deleted.Id, "status": deleted.Status},
		"gone":       gone,
		"notification": map[string]any{
			"txHash":         event.Transaction.TxHash,
			"blockTimestamp": event.Transaction.BlockTimestamp,
			"topics":         []*string{entry.Topic0, entry.Topic3},
		},
		"headers": map[string]any{"id": headers.WebhookId, "sequence": headers.WebhookSequence},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(report))
}
