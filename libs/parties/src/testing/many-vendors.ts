import type { TestDatabase } from '@counterfoil/test-harness';

/** Parts of names as they occur in Israel: some in nearly every name, some in few. */
const FAMILIES =
  'Cohen Levi Mizrahi Peretz Biton Dahan Avraham Friedman Malka Azoulay Katz Yosef David Amar Ohayon Hadad Gabay ' +
  'Ben-David Adler Shapiro Rosen Goldberg Haddad Khoury Mansour Nasser Zoabi Sorek Weiss Klein כהן לוי מזרחי פרץ ' +
  'ביטון דהן אברהם פרידמן מלכה אזולאי כץ יוסף דוד עמר אוחיון חדד גבאי שפירא רוזן גולדברג';
const TRADES =
  'Trading Metals Paper Printing Foods Bakery Electric Plumbing Software Optics Textiles Timber Tools Chemicals ' +
  'Logistics Shipping Motors Glass Ceramics Packaging Stationery Cleaning Security Catering Gardens מסחר מתכות נייר ' +
  'דפוס מזון מאפיה חשמל אינסטלציה תוכנה אופטיקה טקסטיל עץ כלים כימיקלים הובלות רכב זכוכית קרמיקה אריזה ניקיון';
const CITIES =
  'Haifa Jaffa Lod Ramla Afula Eilat Safed Acre Holon Yavne חיפה יפו לוד רמלה עפולה אילת צפת עכו חולון יבנה';
const ENDINGS = 'Ltd Bros Group בע"מ ובניו';

/**
 * Inserts many vendors of a company: half with an e-mail address, half with a postal address, a quarter with a
 * contact. Drops the indexes first and creates them again afterwards, which takes a tenth of the time that
 * inserting into the indexes takes.
 */
export async function seedVendors(
  database: TestDatabase,
  { companyId, count }: { readonly companyId: number; readonly count: number },
): Promise<void> {
  const indexes = await database.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
      where tablename = 'entities' and indexname not in ('entities_pkey', 'entities_visible_id')`,
  );
  for (const { name } of indexes) await database.query(`drop index ${name}`);
  await database.query(
    `with address as (
       insert into addresses (company_id, street, city, house_number, country, created_at)
       select $1, 'Herzl', (string_to_array($3, ' '))[1 + n % 20], n::text, 'IL', now() from generate_series(1, 1000) n
       returning id
     ), parts as (
       select array_agg(id) as addresses, string_to_array($4, ' ') as families, string_to_array($5, ' ') as trades,
              string_to_array($3, ' ') as cities, string_to_array($6, ' ') as endings
         from address
     )
     insert into entities (visible_id, company_id, is_vendor, name, tax_id, type, email, phone_number, address_id,
       payment_term_type, payment_term_days, vendor_internal_code, has_contacts, created_at, updated_at)
     select gen_random_uuid(), $1, true,
            families[1 + h[1] % cardinality(families)] || ' ' || trades[1 + h[2] % cardinality(trades)] || ' '
              || cities[1 + h[3] % cardinality(cities)] || ' ' || endings[1 + h[4] % cardinality(endings)],
            (510000000 + n)::text, (array['COMPANY', 'MURSHE', 'PATOOR'])[1 + h[5] % 3],
            case when n % 2 = 0 then 'office' || n || '@example' || h[6] % 500 || '.co.il' end, '03-' || (5000000 + n),
            case when n % 2 = 1 then addresses[1 + h[7] % 1000] end,
            case when n % 3 = 0 then 'DAYS_ONLY' end, case when n % 3 = 0 then 45 end,
            case when n % 5 = 0 then n end, n % 4 = 0, now(), now()
       from parts, generate_series(1, $2::int) n,
            lateral (select array(select abs(hashint8(n * 16 + i)) from generate_series(1, 7) i) as h) hashes`,
    [companyId, count, CITIES, FAMILIES, TRADES, ENDINGS],
  );
  await database.query(
    `with contact as (
       insert into contacts (company_id, first_name, phone_number, created_at)
       select $1, 'Dana', '050-0000000', now() from entities where company_id = $1 and has_contacts returning id
     ), pairs as (
       select row_number() over (order by id) as place, id from contact
     )
     insert into entity_contacts (entity_id, contact_id)
     select e.id, pairs.id
       from (select id, row_number() over (order by id) as place from entities where company_id = $1 and has_contacts) e
       join pairs using (place)`,
    [companyId],
  );
  for (const { definition } of indexes) await database.query(definition);
  await database.vacuum('entities', 'addresses', 'contacts', 'entity_contacts');
}
