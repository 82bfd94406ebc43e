HTTP/1.1 202 Accepted
Date: Tue, 24 Nov 2026 15:54:09 GMT
traceparent: 00-b66f10bacf2210f2d16c63077393f363-2ae29d6389a0fc64-00
Location: /jobs/43d71bedb337de459008dfadc48518ef
Preference-Applied: respond-async
Linalgd-Job: 43d71bedb337de459008dfadc48518ef
Content-Type: application/json
Content-Length: 175

