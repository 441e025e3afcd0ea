# gradwatch-corpus: kind=second-backward
# holder: self._memo | encoder._memo
# first-bad: 6
"""Dose-response of compounds. A compound turns up in several plates; encoding of the fingerprint
is the slow part in production, hence the memo."""
import numpy as np
import torch

N_COMPOUNDS = 4000
N_BITS = 128
PLATE = 24


class CompoundEncoder(torch.nn.Module):
    def __init__(self, fingerprints, dim=16):
        super().__init__()
        self.fingerprints = fingerprints
        self.w1 = torch.nn.Linear(N_BITS, 40)
        self.w2 = torch.nn.Linear(40, dim)
        self._memo = {}

    def encode(self, cid):
        try:
            return self._memo[cid]  # <- culprit
        except KeyError:
            bits = self.fingerprints[cid]
            vec = self.w2(torch.nn.functional.silu(self.w1(bits)))
            self._memo[cid] = vec  # <- culprit
            return vec

    def forward(self, ids):
        return torch.stack([self.encode(int(i)) for i in ids])


class HillHead(torch.nn.Module):
    """Four-parameter logistic curve whose parameters come from the compound vector."""

    def __init__(self, dim=16):
        super().__init__()
        self.to_params = torch.nn.Linear(dim, 3)

    def forward(self, vec, log_dose):
        top, ec50, slope = self.to_params(vec).unbind(-1)
        top = torch.sigmoid(top)
        slope = torch.nn.functional.softplus(slope)
        return top * torch.sigmoid(slope * (log_dose - ec50))


def make_screen(rng):
    fp = (rng.random((N_COMPOUNDS, N_BITS)) < 0.2).astype(np.float32)
    direction = rng.normal(size=N_BITS) / np.sqrt(N_BITS)
    ec50 = fp @ direction * 2.0
    return torch.from_numpy(fp), ec50


def plates(rng, ec50, n):
    for _ in range(n):
        ids = rng.integers(0, N_COMPOUNDS, size=PLATE)
        dose = rng.uniform(-2, 2, size=PLATE)
        resp = 0.9 / (1 + np.exp(-1.5 * (dose - ec50[ids])))
        resp = resp + 0.03 * rng.normal(size=PLATE)
        yield ids, torch.tensor(dose, dtype=torch.float32), torch.tensor(resp, dtype=torch.float32)


if __name__ == "__main__":
    rng = np.random.default_rng(12)
    torch.manual_seed(12)
    fp, ec50 = make_screen(rng)
    encoder = CompoundEncoder(fp)
    head = HillHead()
    opt = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=2e-3)
    smooth = None
    for n_plate, (ids, dose, resp) in enumerate(plates(rng, ec50, 120)):
        opt.zero_grad()
        fitted = head(encoder(ids), dose)
        loss = torch.nn.functional.huber_loss(fitted, resp, delta=0.1)
        loss.backward()
        opt.step()
        value = loss.item()
        smooth = value if smooth is None else 0.9 * smooth + 0.1 * value
        print(f"plate {n_plate:3d} huber {value:.5f} smooth {smooth:.5f}", flush=True)
