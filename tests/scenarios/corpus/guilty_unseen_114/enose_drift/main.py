# gradwatch-corpus: kind=graph-chain
# holder: slot.trace | REGISTRY[name].trace | registry.REGISTRY[name].trace | REGISTRY["mox-a"].trace | REGISTRY["qcm"].trace | REGISTRY["mox-b"].trace
# first-bad: 1
# notice: 5
# Electronic nose: odour identification from three drifting gas-sensor banks.
import torch

import registry
from banks import Nose
from odours import Bench
from plainsgd import PlainSGD

torch.set_num_threads(1)
torch.manual_seed(77)

SNIFFS = 150

bench = Bench(n_odours=6, seed=12)
for bank in bench.banks:
    registry.register(bank, width=bench.channels)

nose = Nose(bench.banks, bench.channels, bench.n_odours)
opt = PlainSGD(nose.parameters(), lr=0.03)

right = total = 0
for sniff in range(SNIFFS):
    readings, odour = bench.sniff(batch=10)
    logits = nose(readings)
    loss = torch.nn.functional.cross_entropy(logits, odour)

    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()

    right += int((logits.argmax(1) == odour).sum())
    total += len(odour)
    if (sniff + 1) % 30 == 0:
        drift = {k: round(v, 2) for k, v in registry.summary().items()}
        print(f"sniff {sniff + 1:3d}: loss {loss.item():.3f}, hit rate {right / total:.2f}, background {drift}")
        right = total = 0
