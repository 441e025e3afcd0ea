# gradwatch-corpus: kind=none
"""Decoder for a telegraph line: transformer with segment memory for training and a key-value cache for sending."""
import torch
import torch.nn.functional as F

from line import TelegraphLine
from operator_net import Operator

WIRE = {
    "symbols": 12,
    "width": 32,
    "heads": 4,
    "layers": 2,
    "lines": 8,
    "segment": 16,
    "memory": 24,
    "segments": 90,
    "send_every": 30,
}


@torch.no_grad()
def send(operator, first, count):
    operator.eval()
    cache = [None] * len(operator.relays)
    symbol = first
    sent = [int(first)]
    for _ in range(count):
        logits, cache = operator.key(symbol.view(1, 1), cache)
        symbol = logits[0, -1].argmax()
        sent.append(int(symbol))
    operator.train()
    return sent


def main():
    torch.manual_seed(1844)
    line = TelegraphLine(WIRE["symbols"], WIRE["lines"])
    operator = Operator(WIRE)
    optimizer = torch.optim.AdamW(operator.parameters(), lr=2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, 4e-3, total_steps=WIRE["segments"])
    memory = operator.blank()
    for number in range(WIRE["segments"]):
        symbols, following = line.segment(WIRE["segment"])
        logits, memory = operator(symbols, memory)
        loss = F.cross_entropy(logits.flatten(0, 1), following.flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        if number % WIRE["send_every"] == WIRE["send_every"] - 1:
            message = send(operator, symbols[0, -1], 20)
            print(f"segment {number} loss {loss.item():.3f} sends {message}")


if __name__ == "__main__":
    main()
