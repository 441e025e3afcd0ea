# gradwatch-corpus: kind=none
import torch

torch.set_num_threads(1)
from scopes import evaluating
from nets import GraphNet, molecules
from stats import RunningStat

torch.manual_seed(61)
net = GraphNet()
opt = torch.optim.RAdam(net.parameters(), lr=3e-3)
train_stat, val_log = RunningStat(), []
for step in range(460):
    loss = net.loss(*molecules(8))
    opt.zero_grad()
    loss.backward()
    opt.step()
    train_stat.push(loss)
    if step % 20 == 19:
        with evaluating(net):
            val_log.append(net.loss(*molecules(20)))
print(f"train {train_stat.mean:.3f} +- {train_stat.std:.3f}  val {torch.stack(val_log)[-5:].mean():.3f}")
