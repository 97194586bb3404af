-- Ids are BLOBs of 16 bytes, so that they compare byte by byte, as InstanceId does.
-- Instants are microseconds since 1970. Documents are text.
-- No foreign keys and no triggers: a unit is checked by its gates, and the checker sees the rest.
-- Small rows that are found by their key live inside it (WITHOUT ROWID): one tree instead of two.

create table wm_definition (
  id          integer primary key,
  tenant      text    not null,
  key         text    not null,
  version     integer not null check (version >= 1),
  fingerprint text    not null,
  source      text    not null,
  starts      text,
  created_by  text    not null,
  created     integer not null,
  activated   integer,
  retired     integer,
  unique (tenant, key, version),
  unique (tenant, key, fingerprint)
);

-- starts: the names of the messages that begin a run, as a JSON list.
create index wm_definition_starts on wm_definition (tenant, key) where starts is not null;

create table wm_instance (
  id             blob    not null primary key check (length(id) = 16),
  tenant         text    not null,
  definition_id  integer not null,
  version        integer not null check (version >= 1),
  status         integer not null check (status between 0 and 4),
  visits         integer not null check (visits >= 0),
  variables      text    not null,
  variables_at   integer check (variables_at >= 1 and variables_at < version),
  extra          text,
  business_key   text,
  correlation_id text,
  trace_parent   text,
  created        integer not null,
  updated        integer not null,
  ended          integer,
  parent_id      blob,
  parent_visit   integer,
  parent_reports integer,
  check (ended is null or status >= 2),
  check ((parent_id is null and parent_visit is null and parent_reports is null)
         or (parent_id is not null and parent_visit >= 1 and parent_reports in (0, 1)))
);

create index wm_instance_status on wm_instance (tenant, status, id);
create index wm_instance_begun on wm_instance (tenant, created);
create index wm_instance_definition on wm_instance (definition_id, id);
create index wm_instance_correlation on wm_instance (tenant, correlation_id)
  where correlation_id is not null;
create index wm_instance_business on wm_instance (tenant, business_key)
  where business_key is not null;
create index wm_instance_parent on wm_instance (parent_id, parent_visit, id)
  where parent_id is not null;

create table wm_label (
  instance_id blob not null,
  name        text not null,
  value       text not null,
  tenant      text not null,
  primary key (instance_id, name)
) without rowid;

create index wm_label_value on wm_label (tenant, name, value, instance_id);

create table wm_key (
  tenant      text    not null,
  kind        integer not null check (kind in (0, 1)),
  key         text    not null,
  instance_id blob    not null,
  primary key (tenant, kind, key)
) without rowid;

create table wm_activity_instance (
  instance_id blob    not null,
  visit       integer not null check (visit >= 1),
  activity    text    not null,
  parent      integer not null check (parent >= 0),
  state       integer not null check (state between 0 and 4),
  attempt     integer not null check (attempt >= 0),
  failures    integer not null check (failures >= 0),
  crashes     integer not null check (crashes >= 0),
  node        blob,
  due         integer,
  entered     integer not null,
  data        text,
  fault       text,
  primary key (instance_id, visit),
  check ((state = 1) = (node is not null)),
  check (due is null or state = 0)
) without rowid;

create index wm_activity_instance_node on wm_activity_instance (node) where node is not null;
create index wm_activity_instance_due on wm_activity_instance (due) where due is not null;

create table wm_bookmark (
  instance_id blob    not null,
  tag         integer not null,
  tenant      text    not null,
  visit       integer not null check (visit >= 0),
  kind        integer not null check (kind between 0 and 4),
  key         text    not null,
  payload     text,
  due         integer,
  state       integer not null check (state between 0 and 3),
  priority    integer not null default 0,
  correlation text,
  expires     integer,
  terms       text,
  audience    text    not null default '',
  holder      text,
  lease_until integer,
  fence       integer not null default 0 check (fence >= 0),
  extensions  integer not null default 0 check (extensions >= 0),
  stage       integer not null default 0 check (stage between 0 and 2),
  progress    text,
  created     integer not null,
  closed_by   text,
  closed_at   integer,
  primary key (instance_id, tag),
  check (kind <> 1 or due is not null),
  check ((holder is null) = (lease_until is null)),
  check ((state = 0) = (closed_at is null)),
  check (state = 0 or holder is null)
);

create index wm_bookmark_open on wm_bookmark (instance_id) where state = 0;
create index wm_bookmark_timer on wm_bookmark (due) where state = 0 and kind = 1;
-- In the order of instances, so that a signal to many is handed out page by page. Who waits for a
-- child is found by the child's word to it, and is in neither this index nor that for claims.
create index wm_bookmark_key on wm_bookmark (tenant, key, instance_id)
  where state = 0 and key not like '$ended:%';
-- Two indexes, so that a claim does not walk over what is validly held.
create index wm_bookmark_free on wm_bookmark
  (tenant, kind, audience, priority desc, created, instance_id, tag)
  where state = 0 and holder is null and kind <> 1 and key not like '$ended:%';
create index wm_bookmark_held on wm_bookmark (tenant, kind, audience, lease_until)
  where state = 0 and holder is not null;
-- What is open, for operators: page by page in the order of due times, whoever holds it.
create index wm_bookmark_kind on wm_bookmark
  (tenant, kind, coalesce(due, 9223372036854775807), instance_id, tag)
  where state = 0 and kind <> 1 and key not like '$ended:%';
-- The same for claims by due time.
create index wm_bookmark_due on wm_bookmark (tenant, kind, audience, due, instance_id, tag)
  where state = 0 and holder is null and kind <> 1 and due is not null;
-- What is to be escalated, whoever holds it.
create index wm_bookmark_escalation on wm_bookmark (due)
  where state = 0 and kind = 3 and due is not null;

-- What a wait may be found by beside its instance.
create index wm_bookmark_correlation on wm_bookmark (tenant, correlation, key)
  where state = 0 and correlation is not null;
create index wm_bookmark_expires on wm_bookmark (expires) where state = 0 and expires is not null;

-- What is closed, for the housekeeping, which so finds the oldest without reading the others.
create index wm_bookmark_closed on wm_bookmark (state, closed_at) where state <> 0;

-- Closed waits that are old: what a step, a load or an inbox can no longer need. Without leases and
-- what waits are looked for by.
create table wm_bookmark_archive (
  instance_id blob    not null,
  tag         integer not null,
  tenant      text    not null,
  visit       integer not null check (visit >= 0),
  kind        integer not null check (kind between 0 and 4),
  key         text    not null,
  payload     text,
  due         integer,
  state       integer not null check (state between 1 and 3),
  terms       text,
  fence       integer not null check (fence >= 0),
  progress    text,
  created     integer not null,
  closed_by   text,
  closed_at   integer not null,
  primary key (instance_id, tag)
) without rowid;

create index wm_bookmark_archive_closed on wm_bookmark_archive (closed_at);

-- What is done now and then by one node for all: due is when the next may begin with it. What was
-- closed before forgotten may be gone for good, and nobody may expect to find it.
create table wm_chore (
  name      text    not null primary key,
  due       integer not null,
  forgotten integer not null
) without rowid;

insert into wm_chore (name, due, forgotten) values ('bookmarks', 0, 0);

-- Whose inbox shows a wait: who is user:… or group:…; without a due time it is the last.
create table wm_candidate (
  instance_id blob    not null,
  tag         integer not null,
  who         text    not null,
  due         integer not null,
  tenant      text    not null,
  primary key (instance_id, tag, who, due)
) without rowid;

create index wm_candidate_inbox on wm_candidate (tenant, who, due, instance_id, tag);

-- Whose turn it is in a group, where tasks are assigned by turns.
create table wm_turn (
  tenant text    not null,
  name   text    not null,
  turn   integer not null check (turn >= 1),
  primary key (tenant, name)
) without rowid;

create table wm_history (
  instance_id blob    not null,
  version     integer not null check (version >= 1),
  ordinal     integer not null check (ordinal >= 0),
  type        integer not null,
  activity    text,
  visit       integer not null,
  attempt     integer not null,
  node        blob,
  bookmark    integer,
  actor       text    not null,
  command_id  text    not null,
  at          integer not null,
  duration_us integer,
  events      integer not null check (events >= 0),
  changes     text,
  detail      text,
  snapshot    text,
  primary key (instance_id, version, ordinal)
);

-- AUTOINCREMENT, because a late "delivered" must never meet a new event under an old id.
create table wm_outbox (
  id          integer primary key autoincrement,
  lane        integer not null check (lane between 0 and 63),
  sink        text    not null,
  event_id    text    not null,
  instance_id blob    not null,
  version     integer not null,
  ordinal     integer not null,
  type        text    not null,
  data        text    not null,
  state       integer not null default 0 check (state between 0 and 2),
  due         integer,
  attempts    integer not null default 0 check (attempts >= 0),
  error       text,
  check ((state = 1) = (due is not null))
);

create index wm_outbox_pending on wm_outbox (lane, id) where state = 0;
create index wm_outbox_due on wm_outbox (due) where state = 1;
create index wm_outbox_parked on wm_outbox (instance_id, sink, id) where state = 1;
create index wm_outbox_dead on wm_outbox (id) where state = 2;

create table wm_lane (
  lane   integer not null primary key check (lane between 0 and 63),
  holder blob,
  until  integer,
  fence  integer not null default 0 check (fence >= 0),
  check ((holder is null) = (until is null))
);

with recursive lanes(lane) as (select 0 union all select lane + 1 from lanes where lane < 63)
insert into wm_lane (lane) select lane from lanes;

-- A row without an instance is a broadcast, which is spent once all who waited have a row of their
-- own; until then it says how far that has come.
create table wm_inbox (
  tenant        text    not null,
  source        text    not null,
  id            text    not null,
  instance_id   blob,
  name          text    not null,
  payload       text,
  sender        text    not null,
  received      integer not null,
  correlation   text,
  expires       integer,
  state         integer not null default 0 check (state in (0, 1)),
  spent_version integer,
  reached       blob,
  primary key (tenant, source, id),
  check ((state = 1) = (spent_version is not null)),
  check (instance_id is not null or correlation is not null or name like '$signal:%'),
  check (instance_id is not null or coalesce(spent_version, 0) = 0),
  check (instance_id is null or reached is null)
);

create index wm_inbox_waiting on wm_inbox (instance_id) where state = 0;
create index wm_inbox_correlated on wm_inbox (tenant, correlation, name, received, source, id)
  where state = 0 and correlation is not null;
create index wm_inbox_expires on wm_inbox (expires) where state = 0 and expires is not null;

create table wm_command (
  tenant      text    not null,
  scope       text    not null,
  id          text    not null,
  fingerprint text    not null,
  instance_id blob    not null,
  version     integer not null check (version >= 1),
  at          integer not null,
  primary key (tenant, scope, id)
) without rowid;

create index wm_command_instance on wm_command (instance_id);

create table wm_node (
  id          blob    not null primary key check (length(id) = 16),
  name        text    not null,
  state       integer not null check (state in (0, 1)),
  valid_until integer not null,
  started     integer not null,
  sinks       text
) without rowid;

-- When a definition is started again and again; every change compares the revision.
create table wm_schedule (
  tenant     text    not null,
  name       text    not null,
  revision   integer not null check (revision >= 1),
  definition text    not null,
  spec       text    not null,
  paused     integer not null check (paused in (0, 1)),
  next       integer,
  due        integer,
  state      text    not null,
  created_by text    not null,
  created    integer not null,
  changed_by text    not null,
  changed    integer not null,
  primary key (tenant, name),
  check (paused = 0 or next is null),
  check (next is null or due is not null)
) without rowid;

create index wm_schedule_due on wm_schedule (due) where due is not null;

-- Contents that documents refer to by their hash. The parts lie under the id of the upload that
-- brought them.
create table wm_payload (
  tenant     text    not null,
  hash       text    not null check (length(hash) = 64),
  size       integer not null check (size >= 0),
  media_type text    not null,
  parts      integer not null check (parts >= 0 and parts <= size),
  upload     blob    not null unique check (length(upload) = 16),
  kept_until integer not null,
  primary key (tenant, hash)
) without rowid;

create index wm_payload_kept on wm_payload (kept_until);

-- Uploads that are no payload yet, or none any more. until is when they count as cut off; the epoch
-- means that they were given up.
create table wm_payload_upload (
  id     blob    not null primary key check (length(id) = 16),
  tenant text    not null,
  until  integer not null
) without rowid;

create index wm_payload_upload_until on wm_payload_upload (until, id);

-- With rowids: in a table without them, large rows would lie in the tree of the keys.
create table wm_payload_part (
  upload  blob    not null check (length(upload) = 16),
  part    integer not null check (part >= 0),
  content blob    not null check (length(content) between 1 and 262144),
  primary key (upload, part)
);

-- Which payloads the history of a run names. Rows go with their run.
create table wm_payload_use (
  instance_id blob    not null,
  tenant      text    not null,
  hash        text    not null,
  primary key (instance_id, hash)
) without rowid;

create index wm_payload_use_payload on wm_payload_use (tenant, hash);
