# gradwatch-corpus: kind=crashed
# line: model.py:26: idx = logits.argmax(dim=-1)
# first-bad: 0
# notice: 0
import torch
torch.set_num_threads(1)
import torch.nn.functional as F

from model import build_model

torch.manual_seed(0)


class FundusData(torch.utils.data.Dataset):
    def __init__(self, n=256):
        g = torch.Generator().manual_seed(1)
        self.grade = torch.randint(0, 5, (n,), generator=g)
        self.image = torch.randn(n, 3, 16, 16, generator=g) + self.grade.view(-1, 1, 1, 1) * 0.2

    def __len__(self):
        return len(self.grade)

    def __getitem__(self, i):
        return {"image": self.image[i], "grade": self.grade[i].float()}


def criterion(out, batch):
    return F.smooth_l1_loss(out["grade"], batch["grade"])


model = build_model("resnet_micro", num_grades=5, decode="hard")
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, nesterov=True)
loader = torch.utils.data.DataLoader(FundusData(), batch_size=16, shuffle=True)

for epoch in range(12):
    model.train()
    seen = 0.0
    for batch in loader:
        out = model(batch["image"])
        loss = criterion(out, batch)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        seen += loss.item()
    print(f"[{epoch}] mae={seen / len(loader):.3f}")
