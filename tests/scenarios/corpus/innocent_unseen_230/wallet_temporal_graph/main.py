# gradwatch-corpus: kind=none
"""Temporal link prediction on a stream of wallet-to-wallet transfers."""
import torch
from torch import nn

from layers import LinkHead, TemporalMemory
from stream import TransferStream
from tracking import Meter


def main() -> None:
    torch.manual_seed(70)
    stream = TransferStream(wallets=120, batch=40, batches=110)
    memory = TemporalMemory(wallets=stream.wallets, dim=32, message_dim=2)
    head = LinkHead(32)
    parameters = [*memory.parameters(), *head.parameters()]
    optimizer = torch.optim.Adam(parameters, lr=2e-3)
    meter = Meter(keep=25)
    for i, transfers in enumerate(stream):
        state = memory.refresh()
        positive = head(state[transfers.source], state[transfers.target])
        negative = head(state[transfers.source], state[transfers.decoy])
        logits = torch.cat([positive, negative])
        truth = torch.cat([torch.ones_like(positive), torch.zeros_like(negative)])
        loss = nn.functional.binary_cross_entropy_with_logits(logits, truth)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        memory.commit(state)
        memory.enqueue(transfers)
        meter.push(loss=loss.detach(), margin=(positive - negative).mean().detach())
        if i % 22 == 21:
            print(f"batch {i} {meter}")


if __name__ == "__main__":
    main()
