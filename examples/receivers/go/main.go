// Receives notifications with Go's own HTTP server.
//
//	WEBHOOK_SECRET=whsec_… go run .
package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const mostBytes = 32 << 20

func main() {
	secret := strings.TrimPrefix(os.Getenv("WEBHOOK_SECRET"), "whsec_")
	webhook, err := standardwebhooks.NewWebhook(secret)
	if err != nil || secret == "" { // Anybody could sign with an empty one.
		log.Fatal("WEBHOOK_SECRET must be the webhook's secret")
	}
	var handled sync.Map // A real program keeps it in its database, as a unique key.

	http.HandleFunc("POST /hooks", func(w http.ResponseWriter, r *http.Request) {
		// The signature covers the bytes as they arrived.
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBytes))
		if err != nil {
			http.Error(w, err.Error(), http.StatusRequestEntityTooLarge)
			return
		}
		var notification struct{ MessageID string }
		if webhook.Verify(body, r.Header) != nil || json.Unmarshal(body, &notification) != nil {
			http.Error(w, "bad signature", http.StatusBadRequest)
			return
		}
		if _, ok := handled.Load(notification.MessageID); !ok { // Delivery is at least once.
			fmt.Println(r.Header.Get("webhook-sequence"), notification.MessageID)
			handled.Store(notification.MessageID, true) // After the work: if it panics, the service retries.
		}
		w.WriteHeader(http.StatusNoContent)
	})

	address := "127.0.0.1:" + cmp.Or(os.Getenv("PORT"), "4000")
	log.Printf("Listening at http://%s/hooks", address)
	log.Fatal(http.ListenAndServe(address, nil))
}
