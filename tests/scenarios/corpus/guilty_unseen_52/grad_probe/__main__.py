# gradwatch-corpus: kind=memory-climb
# holder: GRADS | probes.GRADS | GRADS["hidden"] | probes.GRADS["hidden"]
# first-bad: 1
# notice: 100
import torch
import torch.nn.functional as F

from . import probes
from .net import Autoencoder, patches


def main(steps=180, batch=96):
    torch.manual_seed(4)
    net = Autoencoder()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    for step, clean in enumerate(patches(steps, batch)):
        noisy = clean + 0.2 * torch.randn_like(clean)
        hidden, recon = net(noisy)
        probes.watch(hidden, "hidden")  # <- culprit
        loss = F.mse_loss(recon, clean) + 1e-4 * hidden.abs().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 45 == 0:
            print(f"step {step:3d}  loss {loss.item():.4f}  |g| {probes.last_norm('hidden'):.2e}")
    print(probes.report())


if __name__ == "__main__":
    main()
