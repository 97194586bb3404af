-- Waymark on PostgreSQL, version 1.
--
-- No foreign keys between hot tables (they cost a quarter of the throughput; the invariant checker
-- sees to what they would promise) and no triggers. No index on a column that a step changes while
-- its instance runs, so that those updates stay inside their page (HOT). JSON is text: no statement
-- looks into it. The checks repeat what the records promise.
--
-- Names and keys compare by bytes (collate "C"): cheaper in an index, and the same order as SQLite's,
-- whatever the database's own language is.

create table wm_definition (
  id bigint generated always as identity primary key,
  tenant text collate "C" not null,
  key text collate "C" not null,
  version int not null check (version >= 1),
  fingerprint text collate "C" not null,
  source text not null,
  starts text,
  created_by text not null,
  created timestamptz not null,
  activated timestamptz,
  retired timestamptz,
  unique (tenant, key, version),
  unique (tenant, key, fingerprint)
);

-- starts: the names of the messages that begin a run, as a JSON list.
create index wm_definition_starts on wm_definition (tenant, key) where starts is not null;

-- status: 0 running, 1 suspended, 2 completed, 3 failed, 4 cancelled.
create table wm_instance (
  id uuid primary key,
  tenant text collate "C" not null,
  definition_id bigint not null,
  version bigint not null check (version >= 1),
  status smallint not null check (status between 0 and 4),
  visits bigint not null check (visits >= 0),
  variables text not null,
  variables_at bigint check (variables_at >= 1 and variables_at < version),
  extra text,
  business_key text collate "C",
  correlation_id text collate "C",
  trace_parent text,
  created timestamptz not null,
  updated timestamptz not null,
  ended timestamptz,
  parent_id uuid,
  parent_visit bigint,
  parent_reports boolean,
  constraint parent_is_whole check (
    (parent_id is null and parent_visit is null and parent_reports is null)
    or (parent_id is not null and parent_visit >= 1 and parent_reports is not null))
) with (fillfactor = 70);

create index wm_instance_status on wm_instance (tenant, status, id);
-- For lists by time. Runs that began together lie together, more or less, so a few bytes for each 32
-- pages are enough; an entry for each run would cost one part in twenty of all steps.
create index wm_instance_begun on wm_instance using brin (created timestamptz_minmax_multi_ops)
 with (pages_per_range = 32, autosummarize = on);
create index wm_instance_definition on wm_instance (definition_id, id);
create index wm_instance_correlation on wm_instance (tenant, correlation_id)
 where correlation_id is not null;
create index wm_instance_business_key on wm_instance (tenant, business_key)
 where business_key is not null;
create index wm_instance_parent on wm_instance (parent_id, parent_visit, id)
 where parent_id is not null;

create table wm_label (
  instance_id uuid not null,
  name text collate "C" not null,
  value text collate "C" not null,
  tenant text collate "C" not null,
  primary key (instance_id, name)
);

create index wm_label_value on wm_label (tenant, name, value, instance_id);

-- What must be unique across instances. It is not a column of wm_instance, so that that table can be
-- partitioned by time one day. kind: 0 business key, 1 bookmark key.
create table wm_key (
  tenant text collate "C" not null,
  kind smallint not null check (kind in (0, 1)),
  key text collate "C" not null,
  instance_id uuid not null,
  primary key (tenant, kind, key)
);

-- Live visits only: a visit that ends is deleted in its step, history keeps the rest.
-- state: 0 ready, 1 running, 2 waiting, 3 parked, 4 kept (done, and remembered).
create table wm_activity_instance (
  instance_id uuid not null,
  visit bigint not null check (visit >= 1),
  activity text not null,
  parent bigint not null check (parent >= 0),
  state smallint not null check (state between 0 and 4),
  attempt int not null check (attempt >= 0),
  failures int not null check (failures >= 0),
  crashes int not null check (crashes >= 0),
  node uuid,
  due timestamptz,
  entered timestamptz not null,
  data text,
  fault text,
  primary key (instance_id, visit),
  constraint running_has_node check ((state = 1) = (node is not null)),
  constraint due_only_while_ready check (due is null or state = 0)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index wm_activity_instance_node on wm_activity_instance (node) where node is not null;
create index wm_activity_instance_due on wm_activity_instance (due) where due is not null;

-- kind: 0 user action, 1 timer, 2 external message, 3 manual intervention, 4 approval.
-- state: 0 open, 1 consumed, 2 withdrawn, 3 expired. stage: 1 once its holder has begun,
-- 2 if it was given back and rests until lease_until.
-- audience: under which name it is claimed; empty for anybody, * if there are several names.
-- extensions: how often its holder may still extend the lease.
-- Vacuumed early: a claim begins at the end where all that was claimed before has left dead entries,
-- and walks over them. After 60,000 of them claims were a third slower.
create table wm_bookmark (
  instance_id uuid not null,
  tag bigint not null,
  tenant text collate "C" not null,
  visit bigint not null,
  kind smallint not null check (kind between 0 and 4),
  key text collate "C" not null,
  payload text,
  due timestamptz,
  state smallint not null check (state between 0 and 3),
  priority int not null default 0,
  correlation text collate "C",
  expires timestamptz,
  terms text,
  audience text collate "C" not null default '',
  holder text,
  lease_until timestamptz,
  fence bigint not null default 0 check (fence >= 0),
  extensions smallint not null default 0 check (extensions >= 0),
  stage smallint not null default 0 check (stage between 0 and 2),
  progress text,
  created timestamptz not null,
  closed_by text,
  closed_at timestamptz,
  primary key (instance_id, tag),
  constraint timer_has_due check (kind <> 1 or due is not null),
  constraint lease_is_whole check ((holder is null) = (lease_until is null)),
  constraint closed_is_whole check ((state = 0) = (closed_at is null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

create index wm_bookmark_open on wm_bookmark (instance_id) where state = 0;
create index wm_bookmark_timer on wm_bookmark (due) where state = 0 and kind = 1;

-- In the order of instances, so that a signal to many is handed out page by page. Who waits for a
-- child is found by the child's word to it, and is in neither this index nor that for claims.
create index wm_bookmark_key on wm_bookmark (tenant, key, instance_id)
 where state = 0 and key not like '$ended:%';

-- Two indexes for claims: one over what is free and one over what is held, since a claim that walks
-- over 19,900 held bookmarks to find a free one reads 1,017 pages instead of 5.
create index wm_bookmark_free on wm_bookmark
 (tenant, kind, audience, priority desc, created, instance_id, tag)
 where state = 0 and holder is null and kind <> 1 and key not like '$ended:%';
create index wm_bookmark_held on wm_bookmark (tenant, kind, audience, lease_until)
 where state = 0 and holder is not null;

-- What is open, for operators: page by page in the order of due times, whoever holds it.
create index wm_bookmark_kind on wm_bookmark
 (tenant, kind, (coalesce(due, timestamptz 'infinity')), instance_id, tag)
 where state = 0 and kind <> 1 and key not like '$ended:%';

-- The same for claims by due time; only what has a due time pays for it.
create index wm_bookmark_due on wm_bookmark (tenant, kind, audience, due, instance_id, tag)
 where state = 0 and holder is null and kind <> 1 and due is not null;

-- What is to be escalated, whoever holds it.
create index wm_bookmark_escalation on wm_bookmark (due)
 where state = 0 and kind = 3 and due is not null;

-- What a wait may be found by beside its instance: an order's number, a payment's reference.
create index wm_bookmark_correlation on wm_bookmark (tenant, correlation, key)
 where state = 0 and correlation is not null;
create index wm_bookmark_expires on wm_bookmark (expires) where state = 0 and expires is not null;

-- What is closed, for the housekeeping, which so finds the oldest without reading the others. A step
-- that closes a wait pays for one entry at the right end of it, and for no more: its update was never
-- inside its page, because state is in the predicates of the indexes above.
create index wm_bookmark_closed on wm_bookmark (state, closed_at) where state <> 0;

-- Closed waits that are old: what a step, a load or an inbox can no longer need. Without leases and
-- what waits are looked for by.
create table wm_bookmark_archive (
  instance_id uuid not null,
  tag bigint not null,
  tenant text collate "C" not null,
  visit bigint not null,
  kind smallint not null check (kind between 0 and 4),
  key text collate "C" not null,
  payload text,
  due timestamptz,
  state smallint not null check (state between 1 and 3),
  terms text,
  fence bigint not null check (fence >= 0),
  progress text,
  created timestamptz not null,
  closed_by text,
  closed_at timestamptz not null,
  primary key (instance_id, tag)
);

create index wm_bookmark_archive_closed on wm_bookmark_archive (closed_at);

-- That the plans of the hot statements were looked at and found good: a fingerprint of the statements,
-- the indexes, the server's version and which tables are big.
create table wm_plan_check (
  fingerprint text collate "C" primary key,
  checked timestamptz not null
);

-- What is done now and then by one node for all: due is when the next may begin with it. What was
-- closed before forgotten may be gone for good, and nobody may expect to find it.
create table wm_chore (
  name text collate "C" primary key,
  due timestamptz not null,
  forgotten timestamptz not null
);

insert into wm_chore (name, due, forgotten) values ('bookmarks', 'epoch', 'epoch');

-- Whose inbox shows a wait: who is user:… or group:…; and not:… for who may never act on it, error:…
-- for what an intervention is about. A page of an inbox is the first few of each
-- of its owner's names, merged; so it costs the same beside a million other tasks.
create table wm_candidate (
  instance_id uuid not null,
  tag bigint not null,
  who text collate "C" not null,
  due timestamptz not null,
  tenant text collate "C" not null,
  primary key (instance_id, tag, who, due)
) with (autovacuum_vacuum_scale_factor = 0.02);

create index wm_candidate_inbox on wm_candidate (tenant, who, due, instance_id, tag);

-- Whose turn it is in a group, where tasks are assigned by turns.
create table wm_turn (
  tenant text collate "C" not null,
  name text collate "C" not null,
  turn bigint not null check (turn >= 1),
  primary key (tenant, name)
);

create table wm_history (
  instance_id uuid not null,
  version bigint not null check (version >= 1),
  ordinal smallint not null check (ordinal >= 0),
  type smallint not null,
  activity text,
  visit bigint not null,
  attempt int not null,
  node uuid,
  bookmark bigint,
  actor text not null,
  command_id text not null,
  at timestamptz not null,
  duration_us bigint,
  events smallint not null,
  changes text,
  detail text,
  snapshot text,
  primary key (instance_id, version, ordinal)
);

-- Ids must rise within an instance: the sequence hands them out one by one, never in blocks per
-- connection. state: 0 pending, 1 parked, 2 dead.
create table wm_outbox (
  lane smallint not null,
  id bigint generated always as identity (cache 1),
  sink text collate "C" not null,
  event_id text not null,
  instance_id uuid not null,
  version bigint not null,
  ordinal smallint not null,
  type text not null,
  data text not null,
  state smallint not null default 0 check (state between 0 and 2),
  due timestamptz,
  attempts int not null default 0,
  error text,
  primary key (lane, id),
  constraint parked_has_due check ((state = 1) = (due is not null))
) with (autovacuum_vacuum_scale_factor = 0.02);

create index wm_outbox_due on wm_outbox (due) where state = 1;

-- Finds whether anything of the same instance and sink is parked ahead of a pending event.
create index wm_outbox_parked on wm_outbox (lane, instance_id, sink, id) where state = 1;

create table wm_lane (
  lane smallint primary key,
  holder uuid,
  until timestamptz,
  fence bigint not null default 0 check (fence >= 0),
  constraint lease_is_whole check ((holder is null) = (until is null))
);

insert into wm_lane (lane) select generate_series(0, 63);

-- state: 0 waiting, 1 spent. A row without an instance is a broadcast, which is spent once all who
-- waited have a row of their own; until then it says how far that has come. Or it is correlated:
-- the step that spends it writes whose it was.
create table wm_inbox (
  tenant text collate "C" not null,
  source text collate "C" not null,
  id text collate "C" not null,
  instance_id uuid,
  name text collate "C" not null,
  payload text,
  sender text not null,
  received timestamptz not null,
  correlation text collate "C",
  expires timestamptz,
  state smallint not null default 0 check (state in (0, 1)),
  spent_version bigint,
  reached uuid,
  primary key (tenant, source, id),
  constraint spent_has_version check ((state = 1) = (spent_version is not null)),
  constraint broadcast_is_signal 
    check (instance_id is not null or correlation is not null or name like '$signal:%'),
  constraint broadcast_has_no_version 
    check (instance_id is not null or coalesce(spent_version, 0) = 0),
  constraint only_broadcast_reaches check (instance_id is null or reached is null)
) with (autovacuum_vacuum_scale_factor = 0.02);

create index wm_inbox_waiting on wm_inbox (instance_id) where state = 0;
create index wm_inbox_correlated on wm_inbox (tenant, correlation, name, received, source, id)
 where state = 0 and correlation is not null;
create index wm_inbox_expires on wm_inbox (expires) where state = 0 and expires is not null;

-- Only ids that came from outside; internal commands leave theirs in their history row.
create table wm_command (
  tenant text collate "C" not null,
  scope text collate "C" not null,
  id text collate "C" not null,
  fingerprint text collate "C" not null,
  instance_id uuid not null,
  version bigint not null,
  at timestamptz not null,
  primary key (tenant, scope, id)
);

create index wm_command_instance on wm_command (instance_id);

-- state: 0 alive, 1 dead. sinks: the names under which it listens to events, as a JSON list; null
-- for a node that listens to none.
create table wm_node (
  id uuid primary key,
  name text not null,
  state smallint not null check (state in (0, 1)),
  valid_until timestamptz not null,
  started timestamptz not null,
  sinks text
);

-- When a definition is started again and again. due is when a worker has something to do about it:
-- its next occurrence, starts that nobody has confirmed, or a start that waits for another's end.
-- Every change compares the revision, so that pausing and firing cannot both win.
create table wm_schedule (
  tenant text collate "C" not null,
  name text collate "C" not null,
  revision bigint not null check (revision >= 1),
  definition text collate "C" not null,
  spec text not null,
  paused smallint not null check (paused in (0, 1)),
  next timestamptz,
  due timestamptz,
  state text not null,
  created_by text not null,
  created timestamptz not null,
  changed_by text not null,
  changed timestamptz not null,
  primary key (tenant, name),
  constraint paused_has_no_next check (paused = 0 or next is null),
  constraint next_is_due check (next is null or due is not null)
) with (fillfactor = 70);

create index wm_schedule_due on wm_schedule (due) where due is not null;

-- Contents that documents refer to by their hash. The parts lie under the id of the upload that
-- brought them. kept_until is compared under the row's lock by all who remove or keep a payload.
create table wm_payload (
  tenant text collate "C" not null,
  hash text collate "C" not null check (length(hash) = 64),
  size bigint not null check (size >= 0),
  media_type text not null,
  parts int not null check (parts >= 0 and parts <= size),
  upload uuid not null unique,
  kept_until timestamptz not null,
  primary key (tenant, hash)
);

create index wm_payload_kept on wm_payload (kept_until);

-- Uploads that are no payload yet, or none any more. until is when they count as cut off; the epoch
-- means that they were given up.
create table wm_payload_upload (
  id uuid primary key,
  tenant text collate "C" not null,
  until timestamptz not null
);

create index wm_payload_upload_until on wm_payload_upload (until, id);

create table wm_payload_part (
  upload uuid not null,
  part int not null check (part >= 0),
  content bytea not null check (length(content) between 1 and 262144),
  primary key (upload, part)
);

-- Large contents are mostly compressed by their own format.
alter table wm_payload_part alter column content set storage external;

-- Which payloads the history of a run names. Rows go with their run.
create table wm_payload_use (
  instance_id uuid not null,
  tenant text collate "C" not null,
  hash text collate "C" not null,
  primary key (instance_id, hash)
);

create index wm_payload_use_payload on wm_payload_use (tenant, hash);
