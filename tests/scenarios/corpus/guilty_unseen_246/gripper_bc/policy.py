from torch import nn


class GripperPolicy(nn.Module):
    def __init__(self, joints, hidden):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(joints, hidden),
            nn.GELU(),
            nn.Linear(hidden, hidden),
            nn.GELU(),
        )
        self.arm = nn.Linear(hidden, joints)
        self.grip = nn.Linear(hidden, 1)

    def forward(self, angles):
        z = self.trunk(angles)
        return self.arm(z), self.grip(z).squeeze(-1)
