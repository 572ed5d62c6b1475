#!/usr/bin/env python3
"""Asks three models the same question through their SDKs: no CLI, no address in the code.

pip install anthropic openai google-genai
"""
import sys

import anthropic
import openai
from google import genai

question = sys.argv[1]

message = anthropic.Anthropic().messages.create(
    model="claude-sonnet-5", max_tokens=500, messages=[{"role": "user", "content": question}]
)
print("claude:", message.content[0].text)

answer = openai.OpenAI().chat.completions.create(model="gpt-6", messages=[{"role": "user", "content": question}])
print("gpt:", answer.choices[0].message.content)

client = genai.Client()
print("gemini:", client.models.generate_content(model="gemini-3-pro", contents=question).text)
