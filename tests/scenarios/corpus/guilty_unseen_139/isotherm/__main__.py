# gradwatch-corpus: kind=second-backward
# holder: model.smoothness | self.smoothness | model.__dict__["smoothness"] | task.model.smoothness
# first-bad: 1
# notice: 0
import torch

torch.set_num_threads(1)
torch.manual_seed(298)

from .model import SiteEnergy
from .objective import OBJECTIVES, compose

model = SiteEnergy(grid=24)
objective = compose(model, OBJECTIVES, {"fit": 1.0, "smooth": 0.05, "mass": 0.1})
opt = torch.optim.Adam(model.parameters(), lr=0.05)
true = torch.softmax(-((torch.linspace(-2, 2, 24) - 0.4) ** 2) * 3, 0)
for n in range(300):
    logp = 4 * torch.rand(32) - 2
    uptake = model.kernel(logp) @ true + 0.01 * torch.randn(32)
    total = objective(logp, uptake)
    opt.zero_grad()
    total.backward()
    opt.step()
    if n % 50 == 0:
        print(n, total.item())
