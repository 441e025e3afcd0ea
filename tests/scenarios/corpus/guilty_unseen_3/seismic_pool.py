# gradwatch-corpus: kind=graph-held
# holder: submitted
# first-bad: 1
"""First-break picking on seismic traces; picks are post-processed by a worker pool while training continues."""
import concurrent.futures as cf
from typing import Any

import torch
from torch import nn


def traces(shots, n=16, length=96):
    g = torch.Generator().manual_seed(321)
    base = torch.arange(length).float()
    for _ in range(shots):
        onset = torch.rand(n, generator=g) * 50 + 20
        wave = torch.exp(-(base - onset[:, None]).clamp(min=0) / 15) * torch.sin((base - onset[:, None]) * 0.6)
        wave = wave * (base >= onset[:, None])
        yield (wave + 0.15 * torch.randn(n, length, generator=g)).unsqueeze(1), onset


class Picker(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Conv1d(1, 8, 7, padding=3), nn.ReLU(), nn.Conv1d(8, 1, 7, padding=3))

    def forward(self, w):
        heat = self.net(w).squeeze(1).softmax(-1)
        return heat, (heat * torch.arange(w.shape[-1])).sum(-1)


def postprocess(shot: int, heat: torch.Tensor, pick: torch.Tensor) -> dict[str, Any]:
    sharp = heat.max(-1).values
    usable = sharp > 0.05
    return {"shot": shot, "usable": int(usable.sum()), "spread": heat.var(-1).mean().item(), "picks": pick[usable]}


torch.manual_seed(321)
picker = Picker()
opt = torch.optim.Adam(picker.parameters(), lr=1e-2)
submitted: list[cf.Future] = []
with cf.ThreadPoolExecutor(max_workers=1) as pool:
    for shot, (wave, onset) in enumerate(traces(220)):
        heat, pick = picker(wave)
        misfit = nn.functional.smooth_l1_loss(pick, onset)
        opt.zero_grad()
        misfit.backward()
        opt.step()
        submitted.append(pool.submit(postprocess, shot, heat, pick))  # <- culprit
        if shot % 55 == 54:
            ready = [f.result() for f in submitted[-20:] if f.done()]
            print(f"shot {shot + 1}: misfit {misfit.item():.2f}, usable/shot {sum(r['usable'] for r in ready) / max(len(ready), 1):.1f}")
table = [f.result() for f in cf.as_completed(submitted)]
print("picked traces:", sum(len(r["picks"]) for r in table))
