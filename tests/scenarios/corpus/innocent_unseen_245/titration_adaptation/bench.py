from dataclasses import dataclass

import torch


@dataclass
class Titration:
    support_volume: torch.Tensor
    support_ph: torch.Tensor
    query_volume: torch.Tensor
    query_ph: torch.Tensor


class TitrationBench:
    """Henderson-Hasselbalch curves with a smooth end point."""

    def __init__(self, points):
        self.points = points

    def curve(self, volume, pka, equivalence):
        fraction = (volume / equivalence).clamp(0.02, 0.98)
        buffered = pka + torch.log10(fraction / (1 - fraction))
        jump = torch.sigmoid((volume - equivalence) * 12)
        return (1 - jump) * buffered + jump * 12.0

    def readings(self, pka, equivalence):
        volume = torch.rand(self.points, 1) * 2
        ph = self.curve(volume, pka, equivalence) + 0.03 * torch.randn_like(volume)
        return volume, ph / 10

    def new_acid(self):
        pka = 3 + 4 * torch.rand(())
        equivalence = 0.6 + 0.8 * torch.rand(())
        sv, sp = self.readings(pka, equivalence)
        qv, qp = self.readings(pka, equivalence)
        return Titration(sv, sp, qv, qp)
