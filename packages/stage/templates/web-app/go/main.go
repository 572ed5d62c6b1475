package main

import (
	"fmt"
	"net/http"
	"os"
)

func main() {
	port := os.Getenv("PORT")
	if port == "" {
		port = "8000"
	}
	fmt.Println("listening on http://127.0.0.1:" + port)
	if err := http.ListenAndServe("127.0.0.1:"+port, newHandler(&Store{}, "static")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
