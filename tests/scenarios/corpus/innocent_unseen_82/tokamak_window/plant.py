import torch


class Plant:
    """Toy 0-D plasma: current, stored energy, density and internal inductance per shot."""

    def __init__(self, shots):
        self.x = torch.rand(shots, 4)
        self.cmd = torch.zeros(shots, 3)

    def _advance(self):
        ip, w, ne, li = self.x.unbind(1)
        ohm, nbi, gas = torch.sigmoid(self.cmd).unbind(1)
        tau = 0.3 + 0.4 * ip
        d = torch.stack([0.5 * ohm - 0.3 * ip, 0.6 * nbi + 0.3 * ohm * ip - w / tau * 0.4,
                         0.5 * gas - 0.35 * ne, 0.2 * (ip - li) - 0.1 * w], 1)
        self.x = (self.x + 0.2 * d).clamp(0, 3)

    def stream(self):
        while True:
            self.cmd = 0.9 * self.cmd + 0.5 * torch.randn_like(self.cmd)
            self._advance()
            yield self.cmd.clone(), self.x + 0.01 * torch.randn_like(self.x)
