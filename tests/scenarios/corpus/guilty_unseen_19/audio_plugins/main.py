# gradwatch-corpus: kind=inplace-modified
# holder: self.queue | criterion.queue | parts["criterion"].queue | plugin.queue
# first-bad: 10
"""Self-supervised audio embeddings. Encoders, augmentations and criteria are plugins that
are found by module name, so that the other team can drop in theirs."""
import importlib
import sys
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parent))

SETUP = {
    "encoder": ("plugins.conv_encoder", {"mels": 16, "dim": 32}),
    "augment": ("plugins.spec_masking", {"time": 6, "freq": 3}),
    "criterion": ("plugins.bank_nce", {"dim": 32, "size": 512, "temperature": 0.1, "settle": 10}),
}


def load(setup):
    parts = {}
    for role, (path, options) in setup.items():
        module = importlib.import_module(path)
        parts[role] = module.build(**options)
    return parts


def clips(batch, seed):
    g = torch.Generator().manual_seed(seed)
    proto = torch.randn(12, 16, 1, generator=g)
    while True:
        who = torch.randint(12, (batch,), generator=g)
        yield proto[who] + 0.7 * torch.randn(batch, 16, 40, generator=g)


def main(steps=250):
    torch.manual_seed(1234)
    parts = load(SETUP)
    encoder, augment, criterion = parts["encoder"], parts["augment"], parts["criterion"]
    optimizer = torch.optim.AdamW(encoder.parameters(), lr=1e-3)
    for step, spec in zip(range(steps), clips(32, seed=3)):
        q = encoder(augment(spec))
        with torch.no_grad():
            k = encoder(augment(spec))
        loss = criterion(q, k)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 50 == 0:
            print(f"step {step}  nce {loss.item():.3f}")


if __name__ == "__main__":
    main()
