# gradwatch-corpus: kind=graph-held
# holder: last_seen
# first-bad: 1
# Fraud model on card event sequences; keeps each customer's latest embedding for the similarity report.
import torch
import torch.nn as nn

torch.manual_seed(404)

N_CUSTOMERS = 1500
N_MCC = 30
SEQ = 12
D = 24
BATCH = 12
STEPS = 100

last_seen = {}
results = {"step": [], "loss": [], "fraud_rate": []}


def draw_batch():
    customers = torch.randint(0, N_CUSTOMERS, (BATCH,))
    mcc = torch.randint(0, N_MCC, (BATCH, SEQ))
    amount = torch.randn(BATCH, SEQ).exp()
    suspicious = (mcc[:, -3:] < 6).float().mean(1) * amount[:, -3:].mean(1)
    fraud = (suspicious > 0.4).float()
    return customers, mcc, amount, fraud


class EventEncoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.mcc = nn.Embedding(N_MCC, D)
        self.amount = nn.Linear(1, D)
        self.pos = nn.Parameter(torch.randn(SEQ, D) * 0.02)
        layer = nn.TransformerEncoderLayer(D, nhead=4, dim_feedforward=48, dropout=0.1, batch_first=True)
        self.body = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.fraud = nn.Linear(D, 1)

    def forward(self, mcc, amount):
        x = self.mcc(mcc) + self.amount(torch.log1p(amount).unsqueeze(-1)) + self.pos
        pooled = self.body(x).mean(1)
        return pooled, self.fraud(pooled).squeeze(-1)


def remember(customers, pooled):
    for cid, vec in zip(customers.tolist(), pooled):
        last_seen[cid] = vec  # <- culprit


def similarity_report(k=3):
    ids = sorted(last_seen)[:200]
    with torch.no_grad():
        mat = nn.functional.normalize(torch.stack([last_seen[i] for i in ids]), dim=1)
        sim = mat @ mat.t()
        sim.fill_diagonal_(-1)
        top = sim.topk(k, dim=1)
    return {ids[i]: [ids[j] for j in row] for i, row in enumerate(top.indices.tolist())}


encoder = EventEncoder()
opt = torch.optim.Adam(encoder.parameters(), lr=1e-3)

for step in range(STEPS):
    customers, mcc, amount, fraud = draw_batch()
    pooled, logit = encoder(mcc, amount)
    loss = nn.functional.binary_cross_entropy_with_logits(logit, fraud)
    opt.zero_grad()
    loss.backward()
    opt.step()
    remember(customers, pooled)  # <- culprit

    results["step"].append(step)
    results["loss"].append(loss.item())
    results["fraud_rate"].append(fraud.mean().item())
    if (step + 1) % 25 == 0:
        print(f"[{step + 1}] loss={sum(results['loss'][-25:]) / 25:.4f} customers seen={len(last_seen)}")

neighbours = similarity_report()
print(f"neighbours for {len(neighbours)} customers, e.g. {list(neighbours.items())[:1]}")
