# gradwatch-corpus: kind=graph-chain
# holder: topic
# first-bad: 1
"""Hi all, here is my full code as requested in the thread. It is a CBOW model where I add a slowly moving
"topic" vector to the context so the model remembers what the text was about."""
import torch
import torch.nn as nn
import torch.optim as optim
import random

torch.manual_seed(1)
random.seed(1)

# my toy text generator, two topics that alternate
animals = ["cat", "dog", "eats", "sleeps", "fur", "tail", "the", "a", "is"]
cars = ["car", "motor", "drives", "stops", "wheel", "road", "the", "a", "is"]
words = []
for part in range(40):
    lst = animals if part % 2 == 0 else cars
    prev = random.choice(lst)
    for k in range(60):
        words.append(prev)
        nxt = lst[(lst.index(prev) * 2 + random.randint(0, 2)) % len(lst)]
        prev = nxt

vocab = sorted(set(words))
w2i = {w: i for i, w in enumerate(vocab)}
ids = torch.tensor([w2i[w] for w in words])
print("vocab size", len(vocab), "words", len(ids))

CTX = 2
EMB = 24
BATCH = 32

emb = nn.Embedding(len(vocab), EMB)
hid = nn.Linear(EMB, 48)
out = nn.Linear(48, len(vocab))
params = list(emb.parameters()) + list(hid.parameters()) + list(out.parameters())
optimizer = optim.Adam(params, lr=0.005)
loss_function = nn.CrossEntropyLoss()

topic = torch.zeros(EMB)

step = 0
loss_sum = 0
right = 0
total = 0
for epoch in range(4):
    pos = CTX
    while pos + BATCH + CTX < len(ids):
        # context words around each position
        centers = torch.arange(pos, pos + BATCH)
        ctx = torch.stack([ids[centers - 2], ids[centers - 1], ids[centers + 1], ids[centers + 2]], dim=1)
        target = ids[centers]

        e = emb(ctx)                     # [32, 4, 24]
        bag = e.mean(dim=1)              # [32, 24]

        # move the topic a bit
        topic = 0.9 * topic + 0.1 * bag.mean(dim=0)  # <- culprit

        h = torch.relu(hid(bag + topic))
        logits = out(h)
        loss = loss_function(logits, target)

        optimizer.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        optimizer.step()

        loss_sum += loss.item()
        right += (logits.argmax(dim=1) == target).sum().item()
        total += BATCH
        step += 1
        if step % 50 == 0:
            print("step", step, "loss", loss_sum / 50, "acc", right / total)
            #print(topic[:5])
            loss_sum = 0
            right = 0
            total = 0
        pos += BATCH

# nearest words
with torch.no_grad():
    W = emb.weight / emb.weight.norm(dim=1, keepdim=True)
    for w in ["cat", "car"]:
        sims = W @ W[w2i[w]]
        best = sims.argsort(descending=True)[1:4]
        print(w, "->", [vocab[int(b)] for b in best])
