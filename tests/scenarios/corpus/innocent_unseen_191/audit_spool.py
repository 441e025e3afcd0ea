# gradwatch-corpus: kind=none
import logging
import logging.handlers
import os
import tempfile

import torch
import torch.nn as nn
import torch.nn.functional as F

LOG = logging.getLogger("claims.audit")


def open_audit(folder, capacity=36):
    rotating = logging.handlers.RotatingFileHandler(
        os.path.join(folder, "audit.log"), maxBytes=8192, backupCount=2)
    rotating.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    spool = logging.handlers.MemoryHandler(capacity, flushLevel=logging.CRITICAL, target=rotating)
    LOG.setLevel(logging.DEBUG)
    LOG.propagate = False
    LOG.addHandler(spool)
    return spool, rotating


class ClaimsModel(nn.Module):
    def __init__(self, n_codes=120, dense=6):
        super().__init__()
        self.code = nn.Embedding(n_codes, 12)
        self.net = nn.Sequential(nn.Linear(12 + dense, 48), nn.ELU(), nn.Linear(48, 2))

    def forward(self, code, dense):
        freq, sev = self.net(torch.cat([self.code(code), dense], 1)).unbind(1)
        return freq, F.softplus(sev)


def claims(n, gen):
    code = torch.randint(120, (n,), generator=gen)
    dense = torch.randn(n, 6, generator=gen)
    rate = torch.exp(0.3 * dense[:, 0] + (code % 3) * 0.4 - 1)
    count = torch.poisson(rate, generator=gen)
    return code, dense, count, 1 + 0.5 * dense[:, 1].abs()


def main():
    torch.manual_seed(61)
    gen = torch.Generator().manual_seed(62)
    model = ClaimsModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    with tempfile.TemporaryDirectory() as folder:
        spool, rotating = open_audit(folder)
        for step in range(500):
            code, dense, count, cost = claims(40, gen)
            freq, sev = model(code, dense)
            nll = F.poisson_nll_loss(freq, count)
            severity = F.smooth_l1_loss(sev, cost)
            loss = nll + severity
            opt.zero_grad()
            loss.backward()
            opt.step()
            LOG.debug("step=%d nll=%.4f sev=%.4f total=%.4f", step, nll, severity, loss)
        spool.close()
        rotating.close()
        print("kept", sorted(os.listdir(folder)), f"last {loss.item():.4f}")


if __name__ == "__main__":
    main()
