# gradwatch-corpus: kind=graph-chain
# holder: self.smoothed | balancer.smoothed | model.balancer.smoothed
# first-bad: 1
# notice: 5
"""Joint prediction of solubility, toxicity and logP from molecular fingerprints."""
import torch

from balancing import UncertaintyBalancer
from data import fingerprint_batches
from network import SharedBottom

TASKS = ("solubility", "toxicity", "logp")


def train(steps=260, lr=2e-3):
    torch.manual_seed(17)
    model = SharedBottom(in_dim=48, hidden=32, tasks=TASKS)
    balancer = UncertaintyBalancer(TASKS, momentum=0.9)
    optimizer = torch.optim.Adam([
        {"params": model.parameters(), "lr": lr},
        {"params": balancer.parameters(), "lr": 5e-3},
    ])
    batches = fingerprint_batches(n_bits=48, batch_size=32)
    for step in range(steps):
        x, targets = next(batches)
        outputs = model(x)
        total, parts = balancer(outputs, targets)
        optimizer.zero_grad()
        total.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        if step % 40 == 0:
            weights = balancer.current_weights()
            msg = "  ".join(f"{t}={parts[t]:.3f} (w {weights[t]:.2f})" for t in TASKS)
            print(f"[{step:4d}] {msg}")
    return model, balancer


if __name__ == "__main__":
    torch.set_num_threads(1)
    train()
