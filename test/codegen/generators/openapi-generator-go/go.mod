module scenario

go 1.25.0
