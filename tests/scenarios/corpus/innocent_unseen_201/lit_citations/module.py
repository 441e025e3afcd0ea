import torch
from torch import nn
from torch.nn import functional as F


class NodeClassifier(nn.Module):
    def __init__(self, graph, in_dim, hidden, classes):
        super().__init__()
        self.graph = graph
        self.w1 = nn.Linear(in_dim, hidden)
        self.w2 = nn.Linear(hidden, classes)
        self.training_step_outputs = []
        self.best = 0.0

    def forward(self):
        h = F.dropout(F.relu(self.graph.adj @ self.w1(self.graph.x)), 0.3, self.training)
        return self.graph.adj @ self.w2(h)

    def training_step(self, nodes, i):
        logits = self()[nodes]
        target = self.graph.y[nodes]
        loss = F.cross_entropy(logits, target)
        self.training_step_outputs.append({"loss": loss, "logits": logits, "target": target})
        return loss

    def on_train_epoch_end(self):
        outs = self.training_step_outputs
        loss = torch.stack([o["loss"] for o in outs]).mean()
        pred = torch.cat([o["logits"] for o in outs]).argmax(1)
        acc = (pred == torch.cat([o["target"] for o in outs])).float().mean()
        self.training_step_outputs.clear()
        return {"loss": loss.item(), "acc": acc.item()}

    def validation(self):
        mask = torch.ones(len(self.graph.y), dtype=torch.bool)
        mask[self.graph.train] = False
        acc = (self().argmax(1) == self.graph.y)[mask].float().mean().item()
        self.best = max(self.best, acc)
        return acc

    def configure_optimizers(self):
        opt = torch.optim.Adam(self.parameters(), lr=5e-3, weight_decay=5e-4)
        return opt, torch.optim.lr_scheduler.StepLR(opt, 6, 0.5)
