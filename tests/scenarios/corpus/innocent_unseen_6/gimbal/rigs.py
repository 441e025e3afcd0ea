import torch


def fleet(rigs, rounds, side=16, rows=6):
    v, u = torch.meshgrid(torch.linspace(-1, 1, side), torch.linspace(-1, 1, side), indexing="ij")
    for _ in range(rounds):
        for rig in range(rigs):
            a = torch.randn(rows, 3) * 0.5
            yaw, pitch, roll = (a[:, i].view(-1, 1, 1) for i in range(3))
            flow = torch.stack([yaw - roll * v, pitch + roll * u], 1)
            yield rig, flow + 0.05 * (rig + 1) * torch.randn_like(flow), a
