from dataclasses import dataclass, field

import torch


@dataclass
class Study:
    image: torch.Tensor
    labels: dict = field(default_factory=dict)


def cohort(n_batches, batch=6, size=16, report_after=9, seed=4):
    """The first site delivered masks only; later sites also have reports."""
    gen = torch.Generator().manual_seed(seed)
    axis = torch.linspace(-1, 1, size)
    yy, xx = torch.meshgrid(axis, axis, indexing="ij")
    for k in range(n_batches):
        cy, cx = (torch.rand(batch, 1, 1, generator=gen) - 0.5 for _ in range(2))
        mask = ((yy - cy) ** 2 + (xx - cx) ** 2 < 0.12).float().unsqueeze(1)
        study = Study(mask + 0.4 * torch.randn(batch, 1, size, size, generator=gen), {"seg": mask})
        if k >= report_after:
            side = (cx.flatten() > 0).float()
            apex = (cy.flatten() < 0).float()
            study.labels["report"] = torch.stack([side, apex, side * apex, 1 - side], 1)
        yield study
