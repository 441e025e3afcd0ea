# gradwatch-corpus: kind=graph-held
# holder: self | model | self.__dict__ | model.__dict__ | vars(self)
# holder: self.attn_0 | model.attn_0 | self.attn_1 | model.attn_1 | self.attn_2 | model.attn_2 | self.attn_3 | model.attn_3 | self.attn_4 | model.attn_4 | self.attn_5 | model.attn_5 | self.attn_6 | model.attn_6 | self.attn_7 | model.attn_7 | self.attn_8 | model.attn_8 | self.attn_9 | model.attn_9 | self.attn_10 | model.attn_10 | self.attn_11 | model.attn_11 | self.attn_12 | model.attn_12 | self.attn_13 | model.attn_13 | self.attn_14 | model.attn_14 | self.attn_15 | model.attn_15 | self.attn_16 | model.attn_16 | self.attn_17 | model.attn_17 | self.attn_18 | model.attn_18 | self.attn_19 | model.attn_19 | self.attn_20 | model.attn_20 | self.attn_21 | model.attn_21 | self.attn_22 | model.attn_22 | self.attn_23 | model.attn_23 | self.attn_24 | model.attn_24 | self.attn_25 | model.attn_25 | self.attn_26 | model.attn_26 | self.attn_27 | model.attn_27 | self.attn_28 | model.attn_28 | self.attn_29 | model.attn_29 | self.attn_30 | model.attn_30 | self.attn_31 | model.attn_31 | self.attn_32 | model.attn_32 | self.attn_33 | model.attn_33 | self.attn_34 | model.attn_34 | self.attn_35 | model.attn_35 | self.attn_36 | model.attn_36 | self.attn_37 | model.attn_37 | self.attn_38 | model.attn_38 | self.attn_39 | model.attn_39 | self.attn_40 | model.attn_40 | self.attn_41 | model.attn_41 | self.attn_42 | model.attn_42 | self.attn_43 | model.attn_43 | self.attn_44 | model.attn_44 | self.attn_45 | model.attn_45 | self.attn_46 | model.attn_46 | self.attn_47 | model.attn_47 | self.attn_48 | model.attn_48 | self.attn_49 | model.attn_49 | self.attn_50 | model.attn_50 | self.attn_51 | model.attn_51 | self.attn_52 | model.attn_52 | self.attn_53 | model.attn_53 | self.attn_54 | model.attn_54 | self.attn_55 | model.attn_55 | self.attn_56 | model.attn_56 | self.attn_57 | model.attn_57 | self.attn_58 | model.attn_58 | self.attn_59 | model.attn_59 | self.attn_60 | model.attn_60 | self.attn_61 | model.attn_61 | self.attn_62 | model.attn_62 | self.attn_63 | model.attn_63 | self.attn_64 | model.attn_64 | self.attn_65 | model.attn_65 | self.attn_66 | model.attn_66 | self.attn_67 | model.attn_67 | self.attn_68 | model.attn_68 | self.attn_69 | model.attn_69 | self.attn_70 | model.attn_70 | self.attn_71 | model.attn_71 | self.attn_72 | model.attn_72 | self.attn_73 | model.attn_73 | self.attn_74 | model.attn_74 | self.attn_75 | model.attn_75 | self.attn_76 | model.attn_76 | self.attn_77 | model.attn_77 | self.attn_78 | model.attn_78 | self.attn_79 | model.attn_79
# Kaggle: attention pooling over a bag of instances, attention maps kept to plot them after training
import torch
import torch.nn as nn
import torch.nn.functional as F


class AttentionMIL(nn.Module):
    def __init__(self, d_in=40, d=96):
        super().__init__()
        self.feat = nn.Sequential(nn.Linear(d_in, d), nn.ReLU(), nn.Linear(d, d), nn.ReLU())
        self.V = nn.Linear(d, 32)
        self.w = nn.Linear(32, 1)
        self.cls = nn.Linear(d, 1)
        self.step = 0

    def forward(self, bags):
        h = self.feat(bags)
        a = F.softmax(self.w(torch.tanh(self.V(h))), dim=1)
        if self.training:
            setattr(self, "attn_%d" % self.step, a)  # <- culprit
            self.step += 1
        return self.cls((a * h).sum(1)).squeeze(-1)


def make_bags(n=32, m=20):
    x = torch.randn(n, m, 40)
    y = (torch.rand(n) > 0.5).float()
    x[y.bool(), 0, :5] += 3
    return x, y


torch.manual_seed(2024)
model = AttentionMIL()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for i in range(200):
    x, y = make_bags()
    loss = F.binary_cross_entropy_with_logits(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if (i + 1) % 50 == 0:
        print(f"step {i + 1} loss {loss.item():.4f}")
first = getattr(model, "attn_0")
last = getattr(model, f"attn_{model.step - 1}")
print("entropy of attention:", -(first * first.log()).sum(1).mean().item(), "->", -(last * last.log()).sum(1).mean().item())
