# gradwatch-corpus: kind=second-backward
# holder: self.cluster_sum | self.codes | quantizer.cluster_sum | model.quantizer.cluster_sum | quantizer.codes | model.quantizer.codes
# first-bad: 1
import torch
from model import VQVAE


def batches(n, size=16, bs=24):
    yy, xx = torch.meshgrid(torch.linspace(-1, 1, size), torch.linspace(-1, 1, size), indexing="ij")
    for _ in range(n):
        c = torch.rand(bs, 2, 1, 1) - 0.5
        r = 0.2 + 0.3 * torch.rand(bs, 1, 1)
        d = ((xx - c[:, 0]) ** 2 + (yy - c[:, 1]) ** 2).sqrt()
        yield torch.sigmoid((r - d) * 20)[:, None]


def main():
    torch.manual_seed(5)
    model = VQVAE(n_codes=32, dim=16)
    optim = torch.optim.Adam(model.parameters(), lr=2e-3)
    for it, x in enumerate(batches(100)):
        out = model(x)
        loss = out["recon"] + 0.25 * out["commit"]
        optim.zero_grad()
        loss.backward()
        optim.step()
        if it % 20 == 0:
            print(f"it {it} recon {out['recon'].item():.4f} ppl {out['perplexity']:.1f}")


if __name__ == "__main__":
    main()
