# gradwatch-corpus: kind=graph-held
# holder: snapshots
# first-bad: 1
# learn to write little poems, character by character
import torch
import torch.nn as nn

torch.manual_seed(1)

poem = """the moon is thin above the barn
the cat is sleeping in the yarn
a lamp goes out a door is shut
the frost has drawn a silver rut
and all the fields are lying still
beneath the shoulder of the hill
"""

chars = sorted(set(poem))
stoi = {}
for i, c in enumerate(chars):
    stoi[c] = i
data = torch.tensor([stoi[c] for c in poem])

emb = nn.Embedding(len(chars), 16)
rnn = nn.GRU(16, 48, batch_first=True)
head = nn.Linear(48, len(chars))

params = list(emb.parameters()) + list(rnn.parameters()) + list(head.parameters())
opt = torch.optim.RMSprop(params, lr=0.004)
loss_fn = nn.CrossEntropyLoss()

seq = 24
snapshots = {}

for it in range(120):
    starts = torch.randint(0, len(data) - seq - 1, (8,))
    x = torch.stack([data[s:s + seq] for s in starts])
    y = torch.stack([data[s + 1:s + seq + 1] for s in starts])

    out, h = rnn(emb(x))
    logits = head(out)
    loss = loss_fn(logits.reshape(-1, len(chars)), y.reshape(-1))

    opt.zero_grad()
    loss.backward()
    opt.step()

    # last neuron states, to draw the heat map later
    snapshots["it%03d" % it] = h[0, 0]  # <- culprit

    if it % 30 == 0:
        print(it, loss.item())

# heat map in ASCII
shades = " .:-=+*#"
for name in list(snapshots)[::20]:
    row = snapshots[name].tolist()
    line = ""
    for v in row:
        k = int((v + 1) / 2 * (len(shades) - 1))
        line += shades[k]
    print(name, line)

# write something
with torch.no_grad():
    c = torch.tensor([[stoi["t"]]])
    h = None
    text = "t"
    for _ in range(60):
        out, h = rnn(emb(c), h)
        p = torch.softmax(head(out[0, -1]) / 0.7, dim=0)
        c = torch.multinomial(p, 1)[None]
        text += chars[c.item()]
print(text)
